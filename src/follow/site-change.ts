import type { FeedChange } from '../dialects/feed-change.ts';
import type { PageChange } from '../diff/page-change.ts';
import type { FoundBy } from '../model/page.ts';
import type { StreamedChange } from '../stream/change-stream.ts';

/** A change found on the pages of a site, in the shape that all dialects share. Its dialect is how its pages were found. */
export function siteChange(change: StreamedChange, foundBy: FoundBy | undefined): FeedChange {
  const { id, action, kind, url, anchor, anchorIs, time, claimedTime, checksum, title, summary, excerpt, note } =
    change;
  const { extractor, pageChecksum, published } = change.provenance;
  const { uses } = change;
  return {
    id,
    action,
    kind,
    url,
    ...(anchor !== undefined && { anchor }),
    ...(anchorIs !== undefined && { anchorIs }),
    time: claimedTime ?? time,
    ...(checksum !== undefined && { checksum }),
    ...(note !== undefined && { note }),
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(excerpt !== undefined && { excerpt }),
    ...(uses !== undefined && { uses }),
    ...(change.risk !== undefined && { risk: { score: change.risk, reasons: change.riskReasons ?? [] } }),
    provenance: {
      by: dialectBy(foundBy),
      originId: id,
      ...(extractor !== undefined && { extractor }),
      ...(pageChecksum !== undefined && { pageChecksum }),
      ...(published !== undefined && { published }),
    },
  };
}

/** What pages show that their feed has not reported. Its time is unknown. */
export function changeAtFall(change: PageChange, id: string, foundBy: FoundBy | undefined): FeedChange {
  const { action, url, anchor, anchorIs, checksum, title, note } = change;
  return {
    id,
    action,
    url,
    ...(anchor !== undefined && { anchor }),
    ...(anchorIs !== undefined && { anchorIs }),
    ...(checksum !== undefined && { checksum }),
    ...(title !== undefined && { title }),
    ...(note !== undefined && { note }),
    provenance: { by: dialectBy(foundBy), originId: id },
  };
}

function dialectBy(foundBy: FoundBy | undefined): string {
  return foundBy === 'sitemaps' ? 'sitemap' : 'pages';
}

/** When the page says that it happened; undefined if it does not say. */
export function claimedMs({ claimedTime, provenance }: StreamedChange): number | undefined {
  const ms = Date.parse(claimedTime ?? provenance.published ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
