import type { Change, ChangeDraft } from '../model/change.ts';

export interface ReadRange {
  /** Yield changes with a greater `seq`; 0 or absent reads from the start. */
  readonly after?: number;
  readonly limit?: number;
}

/**
 * Changes in append order.
 *
 * - `append` takes a batch, all or nothing, and is durable when it resolves. It gives each change its
 *   `seq` (no holes, commit order) and its `id` (monotonic ULID, even if the clock steps back and across
 *   restarts), and adjusts `time` so that it never goes back.
 * - A committed change is never altered. Reads may run during an append and see only whole batches.
 * - One writer per place: opening a second one fails with {@link LogLockedError}.
 *
 * Every implementation passes `describeLog()` in log.contract.ts.
 */
export interface Log extends AsyncDisposable {
  append(drafts: readonly ChangeDraft[]): Promise<Change[]>;
  read(range?: ReadRange): AsyncIterable<Change>;
  /** The newest change; undefined if the log is empty. */
  last(): Promise<Change | undefined>;
  close(): Promise<void>;
}

/** Extracted content, stored by its fingerprint, so that before and after can be shown. */
export interface Snapshots {
  /** Durable when it resolves; the same text always has the same `sha256:<hex>` name. */
  put(text: string): Promise<string>;
  get(checksum: string): Promise<string | undefined>;
}
