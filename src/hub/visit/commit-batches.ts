import type { Batch, ReadingEnd } from '../../dialects/reader.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import type { FollowState, SourceState } from '../../follow/follow-state.ts';
import { takeChanges } from '../../follow/take-changes.ts';
import type { PathFilter } from '../config/path-filter.ts';
import { type ForeignWords, foreignDrafts } from './foreign-drafts.ts';

/** The source that batches are written for. All of its feeds are one: the same ids are known to each. */
export interface BatchTarget extends ForeignWords {
  readonly id: string;
  readonly dialect: string;
  readonly state: FollowState;
  readonly accepts: PathFilter;
  /** Whether the source has told of changes before, by this feed or another. */
  readonly hadEvents: boolean;
  readonly now: () => number;
  /** Called behind each commit, with how many changes it has written, and how many events were new. */
  readonly onCommit: (written: { readonly changes: number; readonly events: number }) => void;
}

/** Writes what a reading finds: each batch in one commit, with what its reader remembers. */
export async function commitBatches(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  target: BatchTarget,
): Promise<ReadingEnd> {
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      await commitBatch(next.value, target);
    }
  } finally {
    await batches.return({});
  }
}

async function commitBatch(batch: Batch, target: BatchTarget): Promise<void> {
  const { entry, memory, items = [], seenIds = [], isBlank = false } = batch;
  const { id, state, accepts, hadEvents } = target;
  const taken = await takeChanges([...batch.changes], { source: id, state, now: target.now });
  const known = { seenIds: [...taken.seenIds, ...seenIds], items: [...taken.items, ...items] };
  const events = known.seenIds.length + known.items.length;
  if (memory === undefined && taken.changes.length + events === 0) return;
  // Past lines of a feed stay, so one without any is one that was not served.
  if (hadEvents && isBlank) throw new FeedUnreadableError(entry, 'holds no event, where earlier there were some.');
  const changes = foreignDrafts(taken.changes, target).filter(({ url }) => accepts(url));
  const { checksums } = taken;
  const after = await stateAfter(batch, target);
  await state.commit({ state: after, ...known, checksums, pending: [], settledIds: [], changes });
  target.onCommit({ changes: changes.length, events });
}

/** Memory that has not moved stays as it is. */
async function stateAfter({ entry, memory }: Batch, { id, dialect, state }: BatchTarget): Promise<SourceState> {
  if (memory !== undefined) return { source: id, entry, dialect, memory };
  const known = await state.find(entry);
  return known?.dialect === dialect ? known : { source: id, entry, dialect };
}
