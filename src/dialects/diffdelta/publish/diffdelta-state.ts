import { GLOBAL_ID } from '../../../codecs/diffdelta/wire.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { archiveUnreadError, stateContradictionError } from '../../../errors/state-refusals.ts';
import { readIfThere } from '../../../log/read-if-there.ts';
import { type Run, runsOf } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import { type ArchiveEntry, decodeArchiveIndex } from '../runs/archive-index.ts';
import { archiveIndexPath, latestPath } from '../runs/feed-paths.ts';
import { readOwnFeed } from '../runs/read-own-feed.ts';
import { type DiffDeltaPlaces, ensureWhole, findArchives, type StoredFile } from './diffdelta-archives.ts';
import { restoreArchives } from './diffdelta-chain.ts';
import { runMakers, type SiteOptions, siteFactsOf } from './diffdelta-runs.ts';
import type { LatestFeed, LoadedChain, SiteChains } from './feed-chain.ts';
import { splitRuns } from './split-runs.ts';

/**
 * Loads what is published of a site's DiffDelta feeds. Only reads, and reads everything that a publish needs, so that nothing is
 * written if something is missing. A lost archive is made again from the log, if that gives the same bytes.
 */
export async function loadDiffDelta(
  places: DiffDeltaPlaces,
  changes: readonly Change[],
  options: SiteOptions,
): Promise<SiteChains> {
  const site = siteFactsOf(options);
  const committed = runsOf(changes);
  const cutAs = (archives: readonly ArchiveEntry[]) => splitRuns(committed, archives, options);
  const own = await loadChain(site.source, places, cutAs, site.root);
  const global = await loadChain(GLOBAL_ID, places, cutAs, site.root);
  const runs = cutAs(own.archives.length < global.archives.length ? global.archives : own.archives);
  const first = Math.min(own.lost[0] ?? runs.length, global.lost[0] ?? runs.length);
  if (first === runs.length) return { own, global };

  const makers = runMakers(runs, first, site);
  const { out } = places;
  return {
    own: restoreArchives(own, runs, { out, make: makers.own }),
    global: restoreArchives(global, runs, { out, make: makers.global(own.archives) }),
  };
}

async function loadChain(
  name: string,
  places: DiffDeltaPlaces,
  cutAs: (archives: readonly ArchiveEntry[]) => readonly Run[],
  root: string,
): Promise<LoadedChain> {
  const { out, previous } = places;
  const own = await readIndex(out, name, root);
  const live = previous === undefined ? [] : await readIndex(previous, name, root);
  if (live === undefined) throw archiveUnreadError(`${previous?.name}/${archiveIndexPath(name)}`, 'is no index.');
  // A lost or broken index of ours is made again: the log says where its archives are.
  const archives = longerOf(own ?? [], live, name);
  refuseOtherRuns(archives, cutAs(archives), name);
  const ownCount = own?.length ?? 0;
  const { carried, lost } = await findArchives({ archives, ownCount, liveCount: live.length, root }, places);
  const chain = { name, archives, carried, lost };
  const newest = archives.at(-1);
  if (newest === undefined) return chain;

  const latest =
    (await servedFeed(places, latestPath(name, root).slice(root.length), newest)) ??
    (await archivedFeed(out, carried, newest, root));
  return { ...chain, ...(latest !== undefined && { latest }) };
}

/** Empty if there is no index, undefined if it cannot be read. */
async function readIndex(place: Place, name: string, root: string): Promise<readonly ArchiveEntry[] | undefined> {
  const bytes = await readIfThere(place, archiveIndexPath(name));
  return bytes === undefined ? [] : decodeArchiveIndex(Buffer.from(bytes).toString('utf8'), { name, root });
}

/** An index only grows, so of two honest ones the shorter is the beginning of the longer. */
function longerOf(own: readonly ArchiveEntry[], live: readonly ArchiveEntry[], name: string): readonly ArchiveEntry[] {
  const [shorter, longer] = own.length < live.length ? [own, live] : [live, own];
  const differs = shorter.some(({ hash, url }, at) => hash !== longer[at]?.hash || url !== longer[at]?.url);
  if (!differs) return longer;
  throw stateContradictionError(
    [`--out (${archiveIndexPath(name)})`, '--previous'],
    'they hold different archives of the same runs.',
    'Keep those that your followers have read (the live ones) and move the archive and diff folders of the other away.',
  );
}

/** Each archive belongs to one run of the log, and is not older than that run. */
function refuseOtherRuns(archives: readonly ArchiveEntry[], runs: readonly Run[], name: string): void {
  const isOfRun = ({ generated_at: at }: ArchiveEntry, run: number) =>
    (parseTime(at) ?? 0) >= (parseTime(runs[run]?.time ?? '') ?? Infinity);
  if (archives.every(isOfRun)) return;
  throw stateContradictionError(
    [archiveIndexPath(name), 'the log'],
    'there are archives of runs that the log does not have.',
    'Give the --state that they were made with, or --previous with the live site, or move the archive and diff folders away to begin new ones.',
  );
}

/** The feed served under the newest cursor; of several, the last one. A feed that lags behind or was altered is ignored. */
async function servedFeed(
  { out, previous }: DiffDeltaPlaces,
  path: string,
  newest: ArchiveEntry,
): Promise<LatestFeed | undefined> {
  let last: LatestFeed | undefined;
  for (const place of previous === undefined ? [out] : [out, previous]) {
    const bytes = await readIfThere(place, path);
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
  const bytes = carried.find((file) => file.path === path)?.bytes ?? (await ensureWhole(out, newest, root));
  const feed = bytes === undefined ? undefined : readOwnFeed(bytes);
  return bytes === undefined || feed === undefined ? undefined : { feed, bytes, isServed: false };
}
