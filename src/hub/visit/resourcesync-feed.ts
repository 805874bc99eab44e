import { formatTime } from '../../codecs/primitives/time.ts';
import { SourceUnreadError } from '../../errors/source-unread-error.ts';
import type { TidingsError } from '../../errors/tidings-error.ts';
import { collectionKey } from '../../follow/resourcesync/change-key.ts';
import { draftsOf } from '../../follow/resourcesync/drafts.ts';
import { type HarvestRequest, harvestSource } from '../../follow/resourcesync/harvest-source.ts';
import type { CollectionReading, KnownSource } from '../../follow/resourcesync/harvested.ts';
import { sourceIdOf } from '../../model/source.ts';
import type { FeedReading, FeedVisit } from './feed-readers.ts';

/**
 * What the collections of a site tell in their Change Lists. One that cannot be read is noted, and the others are kept; throws
 * where none can be read.
 */
export async function readResourceSyncFeed(visit: FeedVisit): Promise<FeedReading> {
  const { url, state, ports, note } = visit;
  const source = sourceIdOf(url);
  let known: KnownSource = (await state.find(url.href))?.resourcesync ?? { collections: {} };
  const failures: TidingsError[] = [];
  let read = 0;
  const seenAmong = (keys: readonly string[]) => state.seenAmong(source, keys);
  for await (const reading of harvestSource(requestOf(url), { ...ports, known, seenAmong })) {
    if (reading.is === 'failed') {
      failures.push(reading.error);
      continue;
    }
    read += 1;
    noteAll(reading, note);
    const own = ownChanges(reading, note);
    known = {
      ...known,
      collections: { ...known.collections, [collectionKey(reading.known.describes)]: reading.known },
    };
    await state.commit({
      state: { source, entry: url.href, resourcesync: known },
      seenIds: reading.changes.map(({ key }) => key),
      checksums: [],
      items: [],
      pending: [],
      settledIds: [],
      changes: draftsOf(own, source),
    });
  }
  const [first] = failures;
  if (read === 0) throw first ?? nothingAt(url);
  for (const { message } of failures) note(message);
  return failures.length === 0 ? {} : { unread: failures.length };
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

/** Others have no say about a site: what is elsewhere is left out. */
function ownChanges(reading: CollectionReading, note: FeedVisit['note']): CollectionReading {
  const changes = reading.changes.filter(({ isOwn }) => isOwn);
  const foreign = reading.changes.length - changes.length;
  if (foreign > 0) {
    note(`${reading.known.describes}: ${count(foreign, 'change')} of pages on other sites left out.`);
  }
  return { ...reading, changes };
}

function nothingAt({ href }: URL): SourceUnreadError {
  return new SourceUnreadError(href, 'No collection was found.');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
