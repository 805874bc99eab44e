import type { LogEntry } from '../../../codecs/tlog/entry.ts';
import type { Change } from '../../../model/change.ts';
import type { StoreEntriesParts } from './store-entries.ts';
import type { TlogRecord } from './tlog-store.ts';

/** What a provable log is compared with. */
export interface FsckStoreParts extends StoreEntriesParts {
  /** The changes in the order of `seqs`. Changes that the hub no longer has are left out. */
  readonly changesAt: (seqs: readonly number[]) => Promise<readonly Change[]>;
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  /** Changes up to this seq were cut off the log and are kept elsewhere. */
  readonly cutSeq: number;
}

/** An entry with its index. */
export interface FsckEntry {
  readonly entry: LogEntry;
  readonly bytes: Uint8Array;
  readonly index: number;
}

/** The name of the tables of a log in messages. */
export function fsckTable({ log }: Pick<TlogRecord, 'log'>, part?: string): string {
  return part === undefined ? `hub_tlogs, log ${log}` : `hub_tlog_${part}, log ${log}`;
}
