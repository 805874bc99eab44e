import { parseTime } from '../codecs/primitives/time.ts';
import type { Change } from '../model/change.ts';
import type { Fall } from './ladder.ts';
import type { PageTelling } from './seam.ts';
import { ToldSite } from './told-site.ts';

/** A change as a follower has handed it on, with the time at which it did. */
export type ToldChange = Pick<
  Change,
  'kind' | 'action' | 'url' | 'anchor' | 'checksum' | 'title' | 'time' | 'provenance'
>;

/** All of them, oldest first. */
export type ToldLog = () => AsyncIterable<ToldChange>;

/** How events are called that were found on pages. */
const BY_PAGES: readonly unknown[] = ['pages', 'sitemap'];

function isByPages({ provenance }: Pick<ToldChange, 'provenance'>): boolean {
  return BY_PAGES.includes(provenance.by);
}

/** All that was told of pages, by feeds and by the pages themselves. */
export async function toldSiteOf(log: ToldLog): Promise<ToldSite> {
  const told = new ToldSite();
  for await (const change of log()) {
    // What was found on pages was compared by us.
    const own = { ...change, provenance: isByPages(change) ? { by: 'compare' } : change.provenance };
    told.add(own);
  }
  return told;
}

/** What pages have told since the first of these falls, by page. */
export async function tellingsSince([first]: readonly Fall[], log: ToldLog): Promise<Map<string, PageTelling[]>> {
  const tellings = new Map<string, PageTelling[]>();
  if (first === undefined) return tellings;
  for await (const { provenance, kind, url, time, action, anchor, checksum } of log()) {
    const timeMs = parseTime(time) ?? 0;
    if (kind !== 'page' || timeMs < first.atMs || !isByPages({ provenance })) continue;
    tellings.set(url, [...(tellings.get(url) ?? []), { action, anchor, checksum, timeMs }]);
  }
  return tellings;
}
