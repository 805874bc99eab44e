import { parseTimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import { sourceUnreadError } from '../../../errors/source-trouble.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import { warn } from '../../diagnostic.ts';
import type { Batch, ReaderPorts, ReadingEnd, Since } from '../../reader.ts';
import { ensureTime } from '../../since.ts';
import { collectionKey } from './change-key.ts';
import { collectionChanges } from './collection-changes.ts';
import { type HarvestRequest, harvestSource } from './harvest-source.ts';
import { type CollectionReading, decodeKnownSource, type KnownCollection } from './harvested.ts';

interface CollectionsFeed extends Pick<Batch, 'entry' | 'id'> {
  readonly since: Since;
}

/**
 * Reads the collections of a site. Each one with changes gives one batch. A collection that cannot be read is left out; throws if
 * none can be read.
 */
export async function* readCollections(
  request: HarvestRequest,
  { entry, id, since }: CollectionsFeed,
  ports: ReaderPorts,
): AsyncGenerator<Batch, ReadingEnd> {
  const before = decodeKnownSource(await ports.remembered.memoryOf(entry)) ?? { collections: {} };
  if (Object.keys(before.collections).length === 0) ensureTime(since, entry);
  const collections = new Map(Object.entries(before.collections));
  const failures: TidingsError[] = [];
  // The batch of the last collection waits, because it also stores the memory of all of them. Until then, ids show what was handed
  // on.
  let waiting: Batch | undefined;
  let isNew = false;
  let read = 0;
  const seenAmong = (keys: readonly string[]) => ports.remembered.seenAmong(entry, keys);
  for await (const reading of harvestSource(request, { ...ports, known: before, seenAmong })) {
    if (reading.is === 'failed') {
      failures.push(reading.error);
      continue;
    }
    read += 1;
    noteReading(reading, ports);
    const key = collectionKey(reading.known.describes);
    const own = ownChanges(reading, before.collections[key]);
    noteLeftOut(own.known, ports);
    isNew ||= isWorthKeeping(own.known, before.collections[key]);
    collections.set(key, own.known);
    if (reading.changes.length === 0) continue;
    if (waiting !== undefined) yield waiting;
    waiting = { entry, id, ...toldSince(own, reading, since) };
  }
  // Collections that were read move to the end of the queue, after those that were not.
  const isLate = read > 0 && failures.length > 0;
  if (isNew || isLate || waiting !== undefined) {
    const memory = { ...before, collections: Object.fromEntries(collections) };
    yield { ...(waiting ?? { entry, id, changes: [] }), memory };
  }
  const [first] = failures;
  if (read === 0) throw first ?? sourceUnreadError(request.url.href, 'No collection was found.');
  return failures.length === 0 ? {} : { unread: { errors: failures } };
}

/** Reports what a person should know about a collection that was read. */
export function noteReading({ notes, faults }: CollectionReading, ports: ReaderPorts): void {
  for (const { url, code, message } of faults) warn(ports, 'note', `${url}: ${code}: ${message}`);
  for (const message of notes) warn(ports, 'note', message);
}

function noteLeftOut({ describes, leftOut = 0 }: KnownCollection, ports: ReaderPorts): void {
  if (leftOut === 0) return;
  const changes = `${leftOut} ${leftOut === 1 ? 'change' : 'changes'}`;
  warn(ports, 'note', `${describes}: ${changes} of pages on other sites left out so far.`);
}

/**
 * A site can only speak for itself: changes on other sites are left out, and counted permanently, so that every check can report
 * them.
 */
function ownChanges(reading: CollectionReading, before: KnownCollection | undefined): CollectionReading {
  const changes = reading.changes.filter(({ isOwn }) => isOwn);
  const leftOut = (before?.leftOut ?? 0) + reading.changes.length - changes.length;
  return { ...reading, changes, known: { ...reading.known, ...(leftOut > 0 && { leftOut }) } };
}

/** Changes that are left out count as seen: pages of other sites, and, in a new collection, changes that are too old. */
function toldSince(
  own: CollectionReading,
  { changes, isFirst }: CollectionReading,
  { timeMs }: Since,
): Pick<Batch, 'changes' | 'seenIds'> {
  const sinceMs = isFirst ? timeMs : undefined;
  const told = sinceMs === undefined ? own.changes : own.changes.filter(({ datetimeMs }) => datetimeMs >= sinceMs);
  const keys = new Set(told.map(({ key }) => key));
  return {
    changes: collectionChanges({ ...own, changes: told }),
    seenIds: changes.flatMap(({ key }) => (keys.has(key) ? [] : [key])),
  };
}

/** Another check alone is worth storing only if it makes a list complete that was not before. */
function isWorthKeeping(now: KnownCollection, before: KnownCollection | undefined): boolean {
  if (before === undefined || JSON.stringify({ ...now, markMs: before.markMs }) !== JSON.stringify(before)) return true;
  return now.lists.some(({ until = '' }) => (parseTimeSpan(until)?.endMs ?? Number.NEGATIVE_INFINITY) >= before.markMs);
}
