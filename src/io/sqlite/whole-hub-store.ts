import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import type { ApiKeyStore } from '../../hub/keys/api-key-store.ts';
import type { KeyUsageStore } from '../../hub/keys/key-usage.ts';
import type { HubStore } from '../../hub/store/hub-store.ts';
import type { LogDatabase } from './log.ts';

/** What is taken out of a hub with the texts of a change. */
export interface ErasedTexts {
  readonly seq: number;
  /** The fields of the change. */
  readonly fields: readonly string[];
  /** The names of texts of pages. One that a page has now stays: that is what the page says. */
  readonly snapshots?: readonly string[];
}

/** All that a hub keeps in its data folder, be it the only one of its hub or a replica beside others. */
export interface WholeHubStore extends HubStore {
  /** The API keys, in the same database. */
  readonly keys: ApiKeyStore;
  /** What was asked with them. */
  readonly keyUsage: KeyUsageStore;
  /** What readers of agent-feeds know. */
  readonly readerState: ReaderState;
  /** Why nothing is written any more: the data folder was deleted or replaced. */
  readonly lost: string | undefined;
  /** Tables of others in the same database: what is derived from the log must not be restored without it. */
  openTables<T>(open: (opened: LogDatabase) => T): T;
  /** Takes texts out of a change of the log and out of the texts of pages, for good. Done again, it does nothing more. */
  redactChange(erased: ErasedTexts): Promise<void>;
  /** The ids of the newest changes, by source, those of sources that are gone included. */
  lastChangeIds(): Promise<ReadonlyMap<string, string>>;
}
