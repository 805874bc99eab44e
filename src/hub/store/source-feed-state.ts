import type { FollowState, StateCommit, TakenCommit } from '../../follow/follow-state.ts';

/** A part of a commit: changes with everything that is remembered about them, so that it can be stored without the next part. */
export type StatePart = Pick<StateCommit, 'changes' | 'seenIds' | 'items' | 'checksums'>;

/** The memory of the reader of a source's feed. Its commits are those of the hub's store. */
export interface SourceFeedState extends FollowState {
  /**
   * The `earlier` parts of a long commit are separate transactions, between which other work gets its turn. All parts are one run, visible when it is
   * complete; if it throws, the rest was not stored. The reading position is written with the last part: a reader that was cut off reads the rest again, and
   * knows what it has already handed over.
   */
  commit(commit: TakenCommit, earlier?: readonly StatePart[]): Promise<void>;
}
