import { piecesOf } from '../../codecs/primitives/pieces-of.ts';
import type { Batch, ReadingEnd } from '../../dialects/reader.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import type { SourceState } from '../../follow/follow-state.ts';
import { takeChanges } from '../../follow/take-changes.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { PathFilter } from '../config/path-filter.ts';
import type { SourceFeedState, StatePart } from '../store/source-feed-state.ts';
import { type ForeignWords, foreignDrafts } from './foreign-drafts.ts';

/** The source that batches are written for. All of its feeds count as one: they share their ids. */
export interface BatchTarget extends ForeignWords {
  readonly id: string;
  readonly dialect: string;
  readonly state: SourceFeedState;
  readonly accepts: PathFilter;
  /** Whether the source has reported changes before, by this feed or another. */
  readonly hadEvents: boolean;
  readonly now: () => number;
  /** Runs the write of a batch. */
  readonly spare?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called after each commit with the number of changes written and of new events. */
  readonly onCommit: (written: { readonly changes: number; readonly events: number }) => void;
}

/** Writes what a reading finds: each batch as one run, with the memory of its reader. */
export async function commitBatches(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  target: BatchTarget,
): Promise<ReadingEnd> {
  const { spare = (work) => work() } = target;
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      const batch = next.value;
      await spare(() => commitBatch(batch, target));
    }
  } finally {
    await batches.return({});
  }
}

async function commitBatch(batch: Batch, target: BatchTarget): Promise<void> {
  const { entry, memory, items = [], seenIds = [], isBlank = false } = batch;
  const { id, state, accepts, hadEvents } = target;
  const taken = await takeChanges(batch.changes, { source: id, state, now: target.now });
  const told = taken.reduce((count, part) => count + part.changes.length, 0);
  const events = taken.reduce((count, part) => count + part.seenIds.length + part.items.length, 0);
  const silent = seenIds.length + items.length;
  if (memory === undefined && told + events + silent === 0) return;
  // Feeds keep past lines, so a feed without any was not served properly.
  if (hadEvents && isBlank) throw new FeedUnreadableError(entry, 'holds no event, where earlier there were some.');
  const parts: StatePart[] = [];
  for (const part of taken) {
    if (parts.length > 0) await othersFirst();
    parts.push({ ...part, changes: foreignDrafts(part.changes, target).filter(({ url }) => accepts(url)) });
  }
  const [earlier, last] = withSilent(parts, batch);
  const after = await stateAfter(batch, target);
  await state.commit({ state: after, ...last, pending: [], settledIds: [] }, earlier);
  const changes = parts.reduce((count, part) => count + part.changes.length, 0);
  target.onCommit({ changes, events: events + silent });
}

const NOTHING: StatePart = { changes: [], seenIds: [], items: [], checksums: [] };
/** At most this many unreported items are written at once. */
const SILENT_AT_ONCE = 500;

/** Unreported items come after the reported ones. If they are few, they join the last part, because each part waits for the disk. */
function withSilent(
  parts: readonly StatePart[],
  { items = [], seenIds = [] }: Pick<Batch, 'items' | 'seenIds'>,
): readonly [earlier: readonly StatePart[], last: StatePart] {
  const last = parts.at(-1) ?? NOTHING;
  const size = last.seenIds.length + last.items.length + seenIds.length + items.length;
  if (size <= SILENT_AT_ONCE) {
    const joined = { ...last, seenIds: [...last.seenIds, ...seenIds], items: [...last.items, ...items] };
    return [parts.slice(0, -1), joined];
  }
  const all = [
    ...parts,
    ...piecesOf(items, SILENT_AT_ONCE).map((some) => ({ ...NOTHING, items: some })),
    ...piecesOf(seenIds, SILENT_AT_ONCE).map((some) => ({ ...NOTHING, seenIds: some })),
  ];
  return [all.slice(0, -1), all.at(-1) ?? NOTHING];
}

/** Unchanged memory stays as it is. */
async function stateAfter({ entry, memory }: Batch, { id, dialect, state }: BatchTarget): Promise<SourceState> {
  if (memory !== undefined) return { source: id, entry, dialect, memory };
  const known = await state.find(entry);
  return known?.dialect === dialect ? known : { source: id, entry, dialect };
}
