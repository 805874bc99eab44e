import type { FeedChange } from '../dialects/feed-change.ts';
import { editChecksums, type FollowState, type StateCommit } from './follow-state.ts';
import { changeOf, checksumEditOf, followed, pageUrlOf } from './followed.ts';
import { memoryOf } from './hand-over.ts';
import { isUnchanged } from './present.ts';

/** Changes of a feed that were not taken before, as records for the log, with what is remembered of them. */
export type TakenChanges = Pick<StateCommit, 'changes' | 'seenIds' | 'items' | 'checksums'>;

export interface Taker {
  readonly source: string;
  readonly state: Pick<FollowState, 'seenAmong' | 'checksumsOf'>;
  readonly now: () => number;
}

/** Takes all changes of a batch at once, without their pages: for whoever keeps what feeds say and hands it on later. */
export async function takeChanges(changes: readonly FeedChange[], taker: Taker): Promise<TakenChanges> {
  const { source, state } = taker;
  const ids = changes.map(({ id }) => id);
  const seen = await state.seenAmong(source, ids);
  const stored = await state.checksumsOf(source, [...new Set(changes.map(pageUrlOf))]);
  const taken: Mutable<TakenChanges> = { changes: [], seenIds: [], items: [], checksums: [] };
  for (const change of changes) {
    const isSeen = seen.has(change.id);
    const { items = [], seenIds = [] } = memoryOf(change, isSeen);
    taken.items.push(...items);
    taken.seenIds.push(...seenIds);
    for (const id of seenIds) seen.add(id);
    if (isSeen) continue;
    const told = followed(change, taker, isUnchanged(change, stored) ? { unchanged: true } : {});
    taken.changes.push(changeOf(change, told));
    const edit = checksumEditOf(change, told);
    const isEdit = edit?.checksum !== undefined || (stored.get(edit?.page ?? '')?.size ?? 0) > 0;
    if (edit === undefined || !isEdit) continue;
    editChecksums(stored, edit);
    taken.checksums.push(edit);
  }
  return taken;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };
