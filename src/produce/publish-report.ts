import type { Action, AnchorKind, ChangeDraft } from '../model/change.ts';
import type { FileFailure } from '../model/folder.ts';
import type { SiteComparison } from './site-source.ts';

export interface ReportedChange {
  readonly action: Action;
  readonly url: string;
  readonly anchor?: string;
  /** `key` if no element of the page has the anchor as its id. */
  readonly anchorIs?: AnchorKind;
  readonly note?: string;
}

/** What a publish did, or with `dryRun` would do. */
export interface PublishReport {
  /** Pages of the site now. The four counts after it are pages too. */
  readonly pages: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Of pages first, then of endpoints. */
  readonly changes: readonly ReportedChange[];
  /** All published files, relative to the output folder. */
  readonly artifacts: readonly string[];
  /** Files, or URLs of a live site, that could not be read as pages. They change nothing. */
  readonly failed: readonly FileFailure[];
  /** For a live site: URLs that are clearly not pages of it, such as dead links. */
  readonly skipped?: readonly FileFailure[];
  /** Pages on which the frame of the site changed (a menu, a version in the footer, a box). That alone is not reported as a change. */
  readonly frame?: number;
  /** How many parsed pages have no part that the only-these-parts rules name, and were read without them. */
  readonly unmatched?: number;
  /** What the author may add to the site by hand so that followers find its lists. Only in the publish that first writes them. */
  readonly suggestions?: readonly string[];
}

export function publishReportOf(
  comparison: SiteComparison,
  {
    artifacts = [],
    facts = [],
    suggestions = [],
  }: Partial<Pick<PublishReport, 'artifacts' | 'suggestions'>> & { readonly facts?: readonly ChangeDraft[] } = {},
): PublishReport {
  const { pages, changes, failures, skipped, unmatched = 0, frame = 0 } = comparison;
  const wholePage = (action: Action) =>
    changes.filter((change) => change.action === action && change.anchor === undefined);
  const created = wholePage('create').length;
  const deleted = wholePage('delete').length;
  const updated = new Set(changes.map(({ url }) => url)).size - created - deleted;
  return {
    pages: pages.size,
    created,
    updated,
    deleted,
    unchanged: pages.size - created - updated,
    changes: [...changes, ...facts].map(({ action, url, anchor, anchorIs, note }) => ({
      action,
      url,
      anchor,
      ...(anchorIs !== undefined && { anchorIs }),
      note,
    })),
    artifacts,
    failed: failures,
    ...(skipped !== undefined && { skipped }),
    ...(frame > 0 && { frame }),
    ...(unmatched > 0 && { unmatched }),
    ...(suggestions.length > 0 && { suggestions }),
  };
}
