import { type DiffDeltaFeed, GLOBAL_ID } from '../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { ArchiveUnreadError } from '../../errors/archive-unread-error.ts';
import { StateContradictionError } from '../../errors/state-contradiction-error.ts';
import type { Change } from '../../model/change.ts';
import { sourceIdOf } from '../../model/source.ts';
import { type ArchiveEntry, archiveIndexPath, decodeArchiveIndex } from '../diffdelta/archive-index.ts';
import { latestPath } from '../diffdelta/feed-paths.ts';
import { readOwnFeed } from '../diffdelta/read-own-feed.ts';
import { runsOf } from '../diffdelta/runs-of.ts';
import type { Place } from '../folder.ts';

/** So many archives of the live site are asked for at once. */
const AT_ONCE = 8;

/** What is published of one feed: that of the site, or the one that stands for all sources. */
export interface FeedChain {
  readonly name: string;
  /** One for each run that is published, oldest first. */
  readonly archives: readonly ArchiveEntry[];
  /** Archives that the output folder does not have yet, as they stand at the place that this goes on from. */
  readonly carried: readonly StoredFile[];
  /** The newest feed; undefined before the first run. */
  readonly latest?: LatestFeed;
}

/** A site is one source; its runs are those of the feed of all sources, too. */
export interface SiteChains {
  readonly own: FeedChain;
  readonly global: FeedChain;
}

export interface StoredFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface LatestFeed {
  readonly feed: DiffDeltaFeed;
  readonly bytes: Uint8Array;
  /** Whether a latest.json says this already, or only its archive. */
  readonly isServed: boolean;
}

export interface DiffDeltaPlaces {
  readonly out: Place;
  readonly previous: Place | undefined;
}

/**
 * What is published of a site's DiffDelta feeds. Reads only, and reads all that a publish needs, so that nothing is
 * written where something is missing.
 */
export async function loadDiffDelta(
  places: DiffDeltaPlaces,
  changes: readonly Change[],
  site: URL,
): Promise<SiteChains> {
  const times = runsOf(changes).map(({ time }) => parseTime(time) ?? 0);
  const own = await loadChain(sourceIdOf(site), places, times, site.pathname);
  const global = await loadChain(GLOBAL_ID, places, times, site.pathname);
  return { own, global };
}

async function loadChain(
  name: string,
  places: DiffDeltaPlaces,
  runTimes: readonly number[],
  root: string,
): Promise<FeedChain> {
  const { out, previous } = places;
  const own = await readIndex(out, name, root);
  const live = previous === undefined ? [] : await readIndex(previous, name, root);
  if (live === undefined) throw new ArchiveUnreadError(`${previous?.name}/${archiveIndexPath(name)}`, 'is no index.');
  // An index of ours that is lost or broken is made again: its archives are found where the log says that they are.
  const archives = longerOf(own ?? [], live, name);
  refuseOtherRuns(archives, runTimes, name);
  const missing = archives.slice(own?.length ?? 0);
  const carried = previous === undefined ? [] : await carryOver(missing, out, previous, root);
  const newest = archives.at(-1);
  if (newest === undefined) return { name, archives, carried };

  const latest =
    (await servedFeed(places, latestPath(name, root).slice(root.length), newest)) ??
    (await archivedFeed(out, carried, newest, root));
  // Without its file the newest run is made once more.
  return latest === undefined
    ? { name, archives: archives.slice(0, -1), carried }
    : { name, archives, carried, latest };
}

/** Empty where there is none, undefined where it cannot be read. */
async function readIndex(place: Place, name: string, root: string): Promise<readonly ArchiveEntry[] | undefined> {
  const bytes = await place.read(archiveIndexPath(name));
  return bytes === undefined ? [] : decodeArchiveIndex(Buffer.from(bytes).toString('utf8'), { name, root });
}

/** An index only grows, so of two honest ones the shorter is the beginning of the longer. */
function longerOf(own: readonly ArchiveEntry[], live: readonly ArchiveEntry[], name: string): readonly ArchiveEntry[] {
  const [shorter, longer] = own.length < live.length ? [own, live] : [live, own];
  const differs = shorter.some(({ hash, url }, at) => hash !== longer[at]?.hash || url !== longer[at]?.url);
  if (!differs) return longer;
  throw new StateContradictionError(
    [`--out (${archiveIndexPath(name)})`, '--previous'],
    'they hold different archives of the same runs.',
    'Keep those that your followers have read (the live ones) and move the archive folder of the other away.',
  );
}

/** Each archive is of one run of the log, and no earlier than that. */
function refuseOtherRuns(archives: readonly ArchiveEntry[], runTimes: readonly number[], name: string): void {
  const isOfRun = ({ generated_at: at }: ArchiveEntry, run: number) =>
    (parseTime(at) ?? 0) >= (runTimes[run] ?? Infinity);
  if (archives.every(isOfRun)) return;
  throw new StateContradictionError(
    [archiveIndexPath(name), 'the log'],
    'there are archives of runs that the log does not have.',
    'Give the --state that they were made with, or --previous with the live site, or move the archive folder away to begin a new one.',
  );
}

async function carryOver(
  missing: readonly ArchiveEntry[],
  out: Place,
  previous: Place,
  root: string,
): Promise<readonly StoredFile[]> {
  const carried: StoredFile[] = [];
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const some = missing.slice(at, at + AT_ONCE).map((entry) => carryOne(entry, out, previous, root));
    carried.push(...(await Promise.all(some)).flat());
  }
  return carried;
}

async function carryOne(entry: ArchiveEntry, out: Place, previous: Place, root: string): Promise<StoredFile[]> {
  const path = entry.url.slice(root.length);
  const own = await out.read(path);
  if (own !== undefined && readOwnFeed(own)?.hash === entry.hash) return [];
  if (own !== undefined) throw new ArchiveUnreadError(`${out.name}/${path}`, 'has other bytes than were published.');
  const bytes = await previous.read(path);
  if (bytes === undefined)
    throw new ArchiveUnreadError(`${previous.name}/${path}`, 'is not there, but its index names it.');
  if (readOwnFeed(bytes)?.hash === entry.hash) return [{ path, bytes }];
  throw new ArchiveUnreadError(`${previous.name}/${path}`, 'has other bytes than its index says.');
}

/** What is served under the newest cursor, of several the last. One that lags behind, or was altered, says nothing. */
async function servedFeed(
  { out, previous }: DiffDeltaPlaces,
  path: string,
  newest: ArchiveEntry,
): Promise<LatestFeed | undefined> {
  let last: LatestFeed | undefined;
  for (const place of previous === undefined ? [out] : [out, previous]) {
    const bytes = await place.read(path);
    const feed = bytes === undefined ? undefined : readOwnFeed(bytes);
    if (bytes === undefined || feed === undefined || feed.cursor !== newest.cursor) continue;
    if (feed.archive_url !== newest.url || feed.generated_at < (last?.feed.generated_at ?? '')) continue;
    last = { feed, bytes, isServed: true };
  }
  return last;
}

async function archivedFeed(
  out: Place,
  carried: readonly StoredFile[],
  newest: ArchiveEntry,
  root: string,
): Promise<LatestFeed | undefined> {
  const path = newest.url.slice(root.length);
  const bytes = carried.find((file) => file.path === path)?.bytes ?? (await out.read(path));
  if (bytes === undefined) return undefined;
  const feed = readOwnFeed(bytes);
  if (feed?.hash === newest.hash) return { feed, bytes, isServed: false };
  throw new ArchiveUnreadError(`${out.name}/${path}`, 'has other bytes than were published.');
}
