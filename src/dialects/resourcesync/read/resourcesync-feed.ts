import { formatTime } from '../../../codecs/primitives/time.ts';
import { parseTimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import { sourceUnreadError } from '../../../errors/source-trouble.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { TakenCommit } from '../../../follow/follow-state.ts';
import type { FeedReading, FeedVisit } from '../../../hub/visit/feed-readers.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { collectionKey } from '../harvest/change-key.ts';
import { draftsOf } from '../harvest/drafts.ts';
import { type HarvestRequest, harvestSource } from '../harvest/harvest-source.ts';
import type { CollectionReading, KnownCollection, KnownSource } from '../harvest/harvested.ts';

/**
 * What the collections of a site tell in their Change Lists. One that cannot be read is noted, and the others are kept; throws
 * where none can be read.
 */
export async function readResourceSyncFeed(visit: FeedVisit): Promise<FeedReading> {
  const { url, state, ports, note } = visit;
  const source = sourceIdOf(url);
  const before: KnownSource = (await state.find(url.href))?.resourcesync ?? { collections: {} };
  const collections = new Map(Object.entries(before.collections));
  const failures: TidingsError[] = [];
  // Those of one collection, which belong together.
  let waiting: Pick<TakenCommit, 'seenIds' | 'changes'> | undefined;
  let isNew = false;
  let read = 0;
  const keep = async (resourcesync: KnownSource) => {
    const others = { checksums: [], items: [], pending: [], settledIds: [] };
    const { seenIds, changes } = waiting ?? { seenIds: [], changes: [] };
    await state.commit({ ...others, state: { source, entry: url.href, resourcesync }, seenIds, changes });
    waiting = undefined;
  };
  const seenAmong = (keys: readonly string[]) => state.seenAmong(source, keys);
  for await (const reading of harvestSource(requestOf(url), { ...ports, known: before, seenAmong })) {
    if (reading.is === 'failed') {
      failures.push(reading.error);
      continue;
    }
    read += 1;
    noteAll(reading, note);
    const key = collectionKey(reading.known.describes);
    const own = ownChanges(reading, before.collections[key]);
    const { describes, leftOut = 0 } = own.known;
    if (leftOut > 0) note(`${describes}: ${count(leftOut, 'change')} of pages on other sites left out so far.`);
    isNew ||= isWorthKeeping(own.known, before.collections[key]);
    collections.set(key, own.known);
    if (reading.changes.length === 0) continue;
    // What is known of all collections is written once, with the last of them: that these were told, their keys say.
    if (waiting !== undefined) await keep(before);
    waiting = { seenIds: reading.changes.map((change) => change.key), changes: draftsOf(own, source) };
  }
  // What was read goes to the end of the queue, before what was not.
  const isLate = read > 0 && failures.length > 0;
  if (isNew || isLate || waiting !== undefined) await keep({ ...before, collections: Object.fromEntries(collections) });
  const [first] = failures;
  if (read === 0) throw first ?? nothingAt(url);
  for (const { message } of failures) note(message);
  return failures.length === 0 ? {} : { unread: failures.length };
}

/** That it was looked at again is worth it only where a list is done with now that was not before. */
function isWorthKeeping(now: KnownCollection, before: KnownCollection | undefined): boolean {
  if (before === undefined || JSON.stringify({ ...now, markMs: before.markMs }) !== JSON.stringify(before)) return true;
  return now.lists.some(({ until = '' }) => (parseTimeSpan(until)?.endMs ?? Number.NEGATIVE_INFINITY) >= before.markMs);
}

export async function tryResourceSyncFeed({ url, ports, note }: Omit<FeedVisit, 'state'>): Promise<string> {
  const found: CollectionReading[] = [];
  const failures: TidingsError[] = [];
  const seenAmong = async () => new Set<string>();
  for await (const reading of harvestSource(requestOf(url), { ...ports, known: undefined, seenAmong })) {
    if (reading.is === 'read') found.push(reading);
    else failures.push(reading.error);
  }
  const [first] = failures;
  if (found.length === 0) throw first ?? nothingAt(url);
  for (const { message } of failures) note(message);
  for (const { known, changes } of found) {
    const newest = changes.at(-1);
    const when = newest === undefined ? '' : `, the newest of ${formatTime(newest.datetimeMs)}`;
    note(`${known.describes}: ${count(changes.length, 'change')}${when}`);
  }
  for (const reading of found) noteAll(reading, note);
  return `ResourceSync with ${count(found.length, 'collection')}`;
}

/** The address of a site, or of a Source Description at another place than the well-known one. */
function requestOf(url: URL): HarvestRequest {
  return /\.xml(?:\.gz)?$/i.test(url.pathname) ? { url: new URL('/', url), description: url } : { url };
}

function noteAll({ notes, faults }: CollectionReading, note: FeedVisit['note']): void {
  for (const { url, code, message } of faults) note(`${url}: ${code}: ${message}`);
  for (const message of notes) note(message);
}

/** Others have no say about a site: what is elsewhere is left out, and counted for good, so that every check can say so. */
function ownChanges(reading: CollectionReading, before: KnownCollection | undefined): CollectionReading {
  const changes = reading.changes.filter(({ isOwn }) => isOwn);
  const leftOut = (before?.leftOut ?? 0) + reading.changes.length - changes.length;
  return { ...reading, changes, known: { ...reading.known, ...(leftOut > 0 && { leftOut }) } };
}

function nothingAt({ href }: URL): TidingsError {
  return sourceUnreadError(href, 'No collection was found.');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
