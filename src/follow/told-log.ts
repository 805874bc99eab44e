import { parseTime } from '../codecs/primitives/time.ts';
import type { Change } from '../model/change.ts';
import type { Fall } from './ladder.ts';
import type { PageTelling } from './seam.ts';
import { ToldSite } from './told-site.ts';

/** A delivered change, with the time of its delivery. */
export type ToldChange = Pick<
  Change,
  'kind' | 'action' | 'url' | 'anchor' | 'checksum' | 'title' | 'time' | 'provenance'
>;

/** All delivered changes, oldest first. */
export type ToldLog = () => AsyncIterable<ToldChange>;

/** The dialects of events that were found on pages. */
const BY_PAGES: readonly unknown[] = ['pages', 'sitemap'];

function isByPages({ provenance }: Pick<ToldChange, 'provenance'>): boolean {
  return BY_PAGES.includes(provenance.by);
}

/** Everything reported about pages, by feeds and by the pages themselves. */
export async function toldSiteOf(log: ToldLog): Promise<ToldSite> {
  const told = new ToldSite();
  for await (const change of log()) {
    // We compared what was found on pages.
    const own = { ...change, provenance: isByPages(change) ? { by: 'compare' } : change.provenance };
    told.add(own);
  }
  return told;
}

/** What pages have reported since the first of these falls, by page. */
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
