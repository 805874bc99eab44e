import type { FollowState, StateCommit, TakenCommit } from '../../follow/follow-state.ts';

/** A part of a commit: changes with all that is remembered of them, so that it can be kept without the next part. */
export type StatePart = Pick<StateCommit, 'changes' | 'seenIds' | 'items' | 'checksums'>;

/** What the reader of a source's feed remembers. Its commits are those of the hub's store. */
export interface SourceFeedState extends FollowState {
  /**
   * The parts of a long commit that come `earlier` are transactions of their own, between which others have their turn. All of it is one run,
   * shown when it is whole; what it throws means that the rest was not kept. Where the reader stands is written with the last part: who
   * is cut off before reads what is left once more, and knows what was told.
   */
  commit(commit: TakenCommit, earlier?: readonly StatePart[]): Promise<void>;
}
