import { decodeAicfDiscovery, decodeEvents } from '../../../codecs/aicf/decode.ts';
import { AICF_DISCOVERY_PATH } from '../../../codecs/aicf/wire.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import type { PublishedSite } from '../../projection.ts';
import type { FeedFile } from './feed-file.ts';
import { aicfFeedPath } from './feed-path.ts';

/** Which changes are in which file, and how many are. */
export interface FeedPlan {
  readonly feeds: readonly FeedFile[];
  readonly published: number;
}

/** The plan of the last publish. If the marks lag behind the log, they may have missed a rotation: then the files are used. */
export async function planFeeds(
  { changes, published, marks }: Pick<PublishedSite, 'changes' | 'published' | 'marks'>,
  places: readonly Place[],
  site: URL,
): Promise<FeedPlan> {
  let plan: FeedPlan = areFeeds(marks) ? { feeds: marks, published } : { feeds: [], published: 0 };
  if (plan.published === changes.length) return plan;
  for (const place of places) {
    const recovered = await recoverFeeds(place, site, changes);
    if (recovered !== undefined && recovered.published > plan.published) plan = recovered;
  }
  return plan;
}

function areFeeds(marks: unknown): marks is readonly FeedFile[] {
  const isFeed = (feed: Partial<FeedFile> | null) =>
    typeof feed?.path === 'string' &&
    Number.isSafeInteger(feed.first) &&
    (feed.last === undefined || Number.isSafeInteger(feed.last));
  return Array.isArray(marks) && marks.every(isFeed);
}

/**
 * Restores the plan from the feed's files, for a state that has lost it.
 *
 * Undefined if there is no feed yet. `refuseOtherFeeds` finds files whose lines differ from the log.
 */
async function recoverFeeds(place: Place, site: URL, changes: readonly Change[]): Promise<FeedPlan | undefined> {
  const seqOf = new Map(changes.map(({ id, seq }) => [id, seq]));
  const feeds: FeedFile[] = [];
  let published = 0;
  for (const path of await feedPaths(place, site)) {
    const bytes = await place.read(path);
    const { events } = decodeEvents(new TextDecoder().decode(bytes));
    const first = seqOf.get(events[0]?.id ?? '');
    const last = seqOf.get(events.at(-1)?.id ?? '');
    if (first === undefined || last === undefined) continue;
    feeds.push({ path, first, last });
    published = Math.max(published, last);
  }
  const open = feeds.pop();
  return open === undefined ? undefined : { feeds: [...feeds, { path: open.path, first: open.first }], published };
}

/** Oldest first, as discovery names them; without discovery, the path of the first file of every feed. */
async function feedPaths(place: Place, site: URL): Promise<string[]> {
  const bytes = await place.read(AICF_DISCOVERY_PATH.slice(1));
  const discovery = bytes === undefined ? undefined : decodeAicfDiscovery(new TextDecoder().decode(bytes));
  if (!discovery?.ok) return [aicfFeedPath(1)];
  const urls = [...(discovery.value.archives ?? []), discovery.value.self];
  return urls.filter((url) => url.startsWith(site.href)).map((url) => url.slice(site.href.length));
}
