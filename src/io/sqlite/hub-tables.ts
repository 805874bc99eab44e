import type { WatchedSource } from '../../hub/store/hub-store.ts';
import { SqliteApiKeys } from './api-keys.ts';
import { HubChanges } from './hub-changes.ts';
import { HubCommits } from './hub-commits.ts';
import { HubFacts } from './hub-facts.ts';
import { HubFollowTables } from './hub-follow-state.ts';
import { HubPages } from './hub-pages.ts';
import { HubSnapshots } from './hub-snapshots.ts';
import { HubSources, type Settle } from './hub-sources.ts';
import { HubUpkeep } from './hub-upkeep.ts';
import { SqliteKeyUsage } from './key-usage.ts';
import type { LogDatabase } from './log.ts';
import { createSqliteReaderState, type SqliteReaderState } from './reader-state.ts';

/** The tables of a hub beside those of its log, each with its class. Writes to them are transactions of the log. */
export class HubTables {
  readonly opened: LogDatabase;
  readonly changes: HubChanges;
  readonly sources: HubSources;
  readonly pages: HubPages;
  readonly snapshots: HubSnapshots;
  readonly follow: HubFollowTables;
  readonly facts: HubFacts;
  readonly keys: SqliteApiKeys;
  readonly keyUsage: SqliteKeyUsage;
  readonly commits: HubCommits;
  readonly upkeep: HubUpkeep;
  #readerState: SqliteReaderState | undefined;

  constructor(opened: LogDatabase, { now, readonly }: { readonly now: () => number; readonly readonly: boolean }) {
    const { log, database, file } = opened;
    this.opened = opened;
    this.changes = new HubChanges(opened);
    this.sources = new HubSources({ database, file, readonly });
    this.pages = new HubPages(database);
    this.snapshots = new HubSnapshots(database, file);
    this.follow = new HubFollowTables(opened);
    this.facts = new HubFacts(database, file);
    this.keys = new SqliteApiKeys(opened);
    this.keyUsage = new SqliteKeyUsage(opened);
    const { changes, sources, pages, snapshots } = this;
    this.commits = new HubCommits({ log, changes, pages, snapshots, now });
    this.upkeep = new HubUpkeep({ log, database, changes, sources, snapshots });
  }

  /** Made when the first source wants them. */
  get readerState(): SqliteReaderState {
    this.#readerState ??= createSqliteReaderState(this.opened.database, this.opened.file, 'hub_reader');
    return this.#readerState;
  }

  /** Within the caller's transaction. */
  putSources(sources: readonly WatchedSource[]): Settle[] {
    return sources.flatMap((source) => {
      const isNew = !this.sources.has(source.config.id);
      // A running visit may have left data after the source was removed.
      return [...(isNew ? [this.forgetSource(source.config.id)] : []), this.sources.put(source)];
    });
  }

  /** Within the caller's transaction. */
  forgetSource(id: string): Settle {
    this.pages.forget(id);
    this.follow.forget(id);
    return this.sources.forget(id);
  }
}
