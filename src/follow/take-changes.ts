import type { FeedChange } from '../dialects/feed-change.ts';
import { othersFirst } from '../log/others-first.ts';
import { editChecksums, type FollowState, type StateCommit, type StoredChecksums } from './follow-state.ts';
import { changeOf, checksumEditOf, followed, pageUrlOf } from './followed.ts';
import { memoryOf } from './hand-over.ts';
import { isUnchanged } from './present.ts';

/** New changes of a feed as records for the log, with what to store about them. */
export type TakenChanges = Pick<StateCommit, 'changes' | 'seenIds' | 'items' | 'checksums'>;

export interface Taker {
  readonly source: string;
  readonly state: Pick<FollowState, 'seenAmong' | 'checksumsOf'>;
  readonly now: () => number;
}

/** The maximum number of changes, or characters of them, in one part: writing a part must not delay other work. */
const PART_CHANGES = 200;
const PART_CHARACTERS = 256 * 1024;

/**
 * Takes all changes of a batch without their pages, for callers that store what feeds report and deliver it later. Returns parts, each with
 * everything to store about its changes, so that one can be written without the next. Other work gets a turn between two parts.
 */
export async function takeChanges(changes: Iterable<FeedChange>, taker: Taker): Promise<readonly TakenChanges[]> {
  const known: KnownOfBatch = { seen: new Set(), stored: new Map() };
  const parts: TakenChanges[] = [];
  for (const some of cutChanges(changes)) {
    if (parts.length > 0) await othersFirst();
    parts.push(await takePart(some, known, taker));
  }
  return parts;
}

/** Earlier parts count for later ones even before they are written. */
interface KnownOfBatch {
  readonly seen: Set<string>;
  readonly stored: StoredChecksums;
}

async function takePart(changes: readonly FeedChange[], known: KnownOfBatch, taker: Taker): Promise<TakenChanges> {
  const { source, state } = taker;
  const { seen, stored } = known;
  for (const id of await state.seenAmong(
    source,
    changes.map(({ id }) => id),
  ))
    seen.add(id);
  const pages = [...new Set(changes.map(pageUrlOf))].filter((page) => !stored.has(page));
  for (const [page, checksums] of await state.checksumsOf(source, pages)) stored.set(page, checksums);
  const taken: Mutable<TakenChanges> = { changes: [], seenIds: [], items: [], checksums: [] };
  for (const change of changes) {
    const isSeen = seen.has(change.id);
    const { items = [], seenIds = [] } = memoryOf(change, isSeen);
    taken.items.push(...items);
    taken.seenIds.push(...seenIds);
    for (const id of seenIds) seen.add(id);
    if (isSeen) continue;
    const told = followed(change, taker, isUnchanged(change, stored) ? { unchanged: true } : {});
    if (!change.isTold) taken.changes.push(changeOf(change, told));
    const edit = checksumEditOf(change, told);
    const isEdit = edit?.checksum !== undefined || (stored.get(edit?.page ?? '')?.size ?? 0) > 0;
    if (edit === undefined || !isEdit) continue;
    editChecksums(stored, edit);
    taken.checksums.push(edit);
  }
  return taken;
}

function* cutChanges(changes: Iterable<FeedChange>): Generator<readonly FeedChange[], void> {
  let part: FeedChange[] = [];
  let characters = 0;
  for (const change of changes) {
    part.push(change);
    const { url, title = '', summary = '', excerpt = '', note = '' } = change;
    characters += url.length + title.length + summary.length + excerpt.length + note.length;
    if (part.length < PART_CHANGES && characters < PART_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };
