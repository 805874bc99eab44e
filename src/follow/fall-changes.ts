import { boundaryOf } from '../codecs/aicf/boundary.ts';
import type { PageChange } from '../diff/page-change.ts';
import type { AnchorKind } from '../model/change.ts';
import type { ToldSite } from './told-site.ts';

/** A page as found when its feed is given up. */
export interface TakenPage {
  readonly url: string;
  readonly title: string;
  readonly checksum: string;
  readonly sections: readonly FoundSection[];
  /** When it was last edited, according to the page, its sitemap or its server. */
  readonly dateMs?: number | undefined;
}

interface FoundSection {
  readonly anchor: string;
  readonly anchorIs?: AnchorKind;
  readonly checksum: string;
}

export interface FallChanges {
  readonly changes: readonly PageChange[];
  /** An unreported edit would be among them. */
  readonly isSure: boolean;
}

/** This many pages, and more than this share of them, are not edited at once: such dates come from a build. */
const BUILD_PAGES = 10;
const BUILD_SHARE = 0.3;
/** HTTP writes whole seconds. */
const DATE_PRECISION_MS = 999;
/** The page as a whole is read again: what exactly changed is unknown. */
export const RE_READ = 're-read';

/**
 * What the pages show that their feed has not reported: reported when the pages replace the feed. Everything else is taken as known without a report.
 *
 * If at least half of the reported checksums equal ours, the publisher computes them as we do: then each boundary with a different checksum was
 * edited. Otherwise a page is reported if its own date is later than the feed's last good reading. A page that was never reported is new if the feed
 * has reported most of the others, unless its date says otherwise or there is no date; otherwise it is only older than what the feed covers.
 */
export function changesAtFall(
  pages: readonly TakenPage[],
  told: ToldSite,
  lastGoodMs: number | undefined,
): FallChanges {
  const known = pages.filter(({ url }) => told.page(url) !== undefined);
  const isOurs = speaksOurs(known, told);
  const isHistory = known.length > 0 && known.length * 2 >= pages.length;
  const isLate = ({ url, dateMs }: TakenPage) =>
    dateMs !== undefined && lastGoodMs !== undefined && dateMs > Math.max(lastGoodMs, told.page(url)?.timeMs ?? 0);
  const isDated = ({ dateMs }: TakenPage) =>
    dateMs !== undefined && (lastGoodMs === undefined || dateMs + DATE_PRECISION_MS <= lastGoodMs);
  const late = known.filter(isLate);
  const isBuild = late.length > BUILD_PAGES && late.length > known.length * BUILD_SHARE;
  const changes = pages.flatMap((page): readonly PageChange[] => {
    if (told.page(page.url) === undefined) {
      const mayBeNew = isHistory && (page.dateMs === undefined ? isOurs : isLate(page));
      return mayBeNew ? [{ ...pageUpdate(page), action: 'create' as const }] : [];
    }
    const compared = differences(page, told, isOurs);
    if (compared !== undefined) return compared;
    return isLate(page) && !isBuild ? [{ ...pageUpdate(page), note: RE_READ }] : [];
  });
  const toldNow = new Set(changes.map(({ url }) => url));
  return { changes, isSure: isOurs || (!isBuild && pages.every((page) => isDated(page) || toldNow.has(page.url))) };
}

/** All changes of a page that could be reported, for callers that must prepare them while the page is in memory. */
export function possibleChanges(page: TakenPage, told: ToldSite): readonly PageChange[] {
  return [pageUpdate(page), ...(differences(page, told, true) ?? [])];
}

function speaksOurs(pages: readonly TakenPage[], told: ToldSite): boolean {
  let [same, all] = [0, 0];
  for (const page of pages) {
    const now = checksumsNow(page);
    for (const [boundary, checksum] of told.checksumsOf(page.url)) {
      const found = now.get(boundary);
      if (found === undefined || told.isOwn(boundary)) continue;
      all += 1;
      same += Number(found === checksum);
    }
  }
  return all > 0 && same * 2 >= all;
}

/** Undefined if nothing comparable was reported. A section that no longer exists is a change of its page. */
function differences(page: TakenPage, told: ToldSite, isOurs: boolean): readonly PageChange[] | undefined {
  const comparable = [...told.checksumsOf(page.url)].filter(([boundary]) => isOurs || told.isOwn(boundary));
  if (comparable.length === 0) return undefined;
  const now = checksumsNow(page);
  const changed = comparable
    .filter(([boundary, checksum]) => now.get(boundary) !== checksum)
    .map(([boundary]) => boundary);
  if (changed.some((boundary) => boundary === page.url || !now.has(boundary))) return [pageUpdate(page)];
  return page.sections
    .filter(({ anchor }) => changed.includes(boundaryOf({ url: page.url, anchor })))
    .map((section) => ({ action: 'update', url: page.url, title: page.title, ...section }));
}

function checksumsNow({ url, checksum, sections }: TakenPage): ReadonlyMap<string, string> {
  return new Map([
    [url, checksum],
    ...sections.map((section) => [boundaryOf({ url, anchor: section.anchor }), section.checksum] as const),
  ]);
}

function pageUpdate({ url, title, checksum }: TakenPage): PageChange {
  return { action: 'update', url, title, checksum };
}
