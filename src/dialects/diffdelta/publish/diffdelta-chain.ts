import type { DiffDeltaFeed, SourceEntry } from '../../../codecs/diffdelta/wire.ts';
import { archiveUnreadError } from '../../../errors/state-refusals.ts';
import type { Run } from '../../../log/runs-of.ts';
import type { Place } from '../../../model/folder.ts';
import { type ArchiveEntry, archiveEntryOf } from '../runs/archive-index.ts';
import { type EntryFacts, entryOf, type PrecedingFeed, restatedFeed } from '../runs/make-feed.ts';
import { readOwnFeed } from '../runs/read-own-feed.ts';
import { wireTime } from '../runs/wire-time.ts';
import type { MakeFeed, SiteFacts } from './diffdelta-runs.ts';
import type { FeedChain, LoadedChain } from './feed-chain.ts';
import { lastOfPiece } from './split-runs.ts';

interface Making {
  readonly out: Place;
  readonly make: MakeFeed;
}

/** Restores the lost archives from the log. Throws if the log does not give the published bytes. */
export function restoreArchives(
  { lost, ...chain }: LoadedChain,
  runs: readonly Run[],
  { out, make }: Making,
): FeedChain {
  const carried = [...chain.carried];
  let latest = chain.latest;
  for (const at of lost) {
    const [run, entry] = [runs[at], chain.archives[at]];
    if (run === undefined || entry === undefined) continue;
    const made = make(run, at, precedingOf(chain.archives[at - 1], entry.prev_hash));
    const path = made.archivePath ?? '';
    if (made.feed.hash !== entry.hash) {
      throw archiveUnreadError(
        `${entry.url} of ${out.name}`,
        'is not there, and the log does not give its bytes again.',
      );
    }
    const bytes = Buffer.from(made.latestText);
    carried.push({ path, bytes });
    if (at === chain.archives.length - 1) latest ??= { feed: made.feed, bytes, isServed: false };
  }
  return { ...chain, carried, ...(latest !== undefined && { latest }) };
}

/** Adds an archive for each new run. An archive that already exists, from a publish that was cut off, stays. */
export async function extendChain(chain: FeedChain, runs: readonly Run[], { out, make }: Making): Promise<FeedChain> {
  const archives = [...chain.archives];
  const carried = [...chain.carried];
  let latest = chain.latest;
  let before: PrecedingFeed | undefined = latest?.feed;
  for (const run of runs.slice(archives.length)) {
    const made = make(run, archives.length, before);
    const path = made.archivePath ?? '';
    const present = await out.read(path);
    const feed = present === undefined ? made.feed : readOwnFeed(present);
    const bytes = present ?? Buffer.from(made.latestText);
    const entry = feed === undefined ? undefined : archiveEntryOf(feed, bytes);
    if (feed === undefined || entry === undefined || entry.cursor !== made.feed.cursor) {
      throw archiveUnreadError(`${out.name}/${path}`, 'stands where another archive belongs.');
    }
    if (present === undefined) carried.push({ path, bytes });
    const last = lastOfPiece(run, archives.length, runs);
    archives.push(last === undefined ? entry : { ...entry, last });
    latest = { feed, bytes, isServed: false };
    before = feed;
  }
  return { ...chain, archives, carried, ...(latest !== undefined && { latest }) };
}

export interface ChainStatus extends SiteFacts {
  readonly isRead: boolean;
  readonly nowMs: number;
}

/** States once that nothing changed since, or that the site cannot be read. A feed that nobody has seen yet stays unchanged. */
export function restateChain(chain: FeedChain, status: ChainStatus): FeedChain {
  if (chain.latest === undefined || !chain.latest.isServed) return chain;
  const { feed: before } = chain.latest;
  const { source, root, ttlSec, nowMs } = status;
  const run = { root, ttlSec, changed: false, cursor: before.cursor, prev_cursor: before.cursor };
  const entry = entryOf(source, status.isRead ? status.facts : unreadFacts(before, status), run);
  const sources = { [source]: entry };
  const made = restatedFeed({ name: chain.name, root, ttlSec, before, changed: false, sources, atMs: nowMs });
  if (made === undefined) return chain;
  return { ...chain, latest: { feed: made.feed, bytes: Buffer.from(made.latestText), isServed: false } };
}

/** The site was last known to be readable when the last feed was made. */
function unreadFacts(before: DiffDeltaFeed, { source, facts, nowMs }: ChainStatus): EntryFacts {
  const known: Partial<SourceEntry> = before.sources[source] ?? {};
  const lastOkAt = known.last_ok_at ?? before.generated_at;
  return {
    ...facts,
    status: 'error',
    stale: true,
    stale_since: known.stale_since ?? wireTime(nowMs),
    last_ok_at: lastOkAt,
    stale_age_sec: Math.max(0, Math.floor((nowMs - Date.parse(lastOkAt)) / 1000)),
    error: { code: 'no_page_readable' },
  };
}

/** Uses the hash of what was served last under that cursor. */
function precedingOf(archive: ArchiveEntry | undefined, servedHash: string | null): PrecedingFeed | undefined {
  if (archive === undefined || servedHash === null) return undefined;
  const { url, cursor, generated_at } = archive;
  return { cursor, generated_at, hash: servedHash, archive_url: url };
}
