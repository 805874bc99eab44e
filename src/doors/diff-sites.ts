import { siteAddress } from '../crawl/site-address.ts';
import { createReadingRules } from '../extract/rules/reading-rules.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { DetailCollector } from '../produce/collect-details.ts';
import { compareSite } from '../produce/compare-site.ts';
import { foundDrafts } from '../produce/found-changes.ts';
import { type PublishReport, publishReportOf } from '../produce/publish-report.ts';

export interface DiffSitesOptions extends GivenRules {
  readonly before: string;
  readonly after: string;
  /** The base URL under which pages are named. */
  readonly site: string;
  readonly cleanUrls?: boolean;
  /** Called with the changes that a publish would report. */
  readonly onChanges?: (changes: readonly ChangeDraft[]) => void;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a publish of `after` would report if `before` had been published last. */
export async function diffSites({ before, after, onChanges, ...options }: DiffSitesOptions): Promise<PublishReport> {
  const site = siteAddress(options.site, { force: true });
  const now = createReadingRules(options);
  const shared = { ...options, site, rules: { now, before: [] }, accepts: now.accepts };
  const earlier = await compareSite(createFileBuiltSite(before), new Map(), shared);
  const details = new DetailCollector({ hints: { extensions: {}, nonce: () => '' } });
  const onPage = onChanges === undefined ? undefined : details.onPage;
  const later = await compareSite(createFileBuiltSite(after), earlier.pages, { ...shared, ...(onPage && { onPage }) });
  onChanges?.(foundDrafts(later.changes, { site, extractor: now.extractor, details, earliestMs: 0, nowMs: 0 }));
  // A page that is the same in both is parsed only once.
  const unmatched = Math.max(earlier.unmatched ?? 0, later.unmatched ?? 0);
  return publishReportOf({ ...later, unmatched, failures: [...earlier.failures, ...later.failures] });
}
