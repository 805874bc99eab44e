import type { ChangeDraft } from '../../../model/change.ts';

/** Where a harvest keeps what it has seen and published. The state of a follower can be used. */
export interface HarvestState {
  find(entry: string): Promise<{ readonly source: string; readonly memory?: unknown } | undefined>;
  /** Whether another entry already has this id. */
  isTaken(source: string): Promise<boolean>;
  /** Those of `ids` that were stored before. */
  seenAmong(source: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** All or nothing, and durable when it resolves. */
  commit(commit: HarvestCommit): Promise<void>;
}

export interface HarvestCommit {
  readonly state: {
    readonly source: string;
    readonly entry: string;
    readonly dialect: string;
    readonly memory: unknown;
  };
  readonly seenIds: readonly string[];
  readonly checksums: readonly [];
  readonly items: readonly [];
  readonly pending: readonly [];
  readonly settledIds: readonly [];
  readonly changes: Iterable<ChangeDraft>;
}
