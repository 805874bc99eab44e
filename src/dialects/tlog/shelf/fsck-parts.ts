import type { LogEntry } from '../../../codecs/tlog/entry.ts';
import type { Change } from '../../../model/change.ts';
import type { StoreEntriesParts } from './store-entries.ts';
import type { TlogRecord } from './tlog-store.ts';

/** What a provable log is held against. */
export interface FsckStoreParts extends StoreEntriesParts {
  /** In the order of these; what the hub has no more is left out. */
  readonly changesAt: (seqs: readonly number[]) => Promise<readonly Change[]>;
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  /** Changes up to it were cut off the log, and are kept elsewhere. */
  readonly cutSeq: number;
}

/** An entry with its place. */
export interface FsckEntry {
  readonly entry: LogEntry;
  readonly bytes: Uint8Array;
  readonly index: number;
}

/** How messages call the tables of a log. */
export function fsckTable({ log }: Pick<TlogRecord, 'log'>, part?: string): string {
  return part === undefined ? `hub_tlogs, log ${log}` : `hub_tlog_${part}, log ${log}`;
}
