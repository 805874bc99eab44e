import { SafetyStopError } from '../../errors/safety-stop-error.ts';
import { isOtherSite, type KnownAndFound } from '../../follow/new-owner.ts';
import { decodePageRecord, type PageRecord } from '../../log/pages-file.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import type { SiteConfig } from '../config/source-config.ts';
import { wordsFor } from './source-reading.ts';

/** Throws a {@link SafetyStopError} if a site answers and none of its pages is what it was: nothing is reported before a person has looked. */
export function stopIfSomebodyElses(
  comparison: SiteComparison,
  before: ReadonlyMap<string, PageRecord>,
  { id, url }: SiteConfig,
): void {
  const looked = lookedPages(comparison, before);
  if (looked === undefined || !isOtherSite(looked, before.size)) return;
  const what = `${url} seems to be somebody else's: none of its ${before.size} pages says anything of what it said.`;
  const remedy = `Nothing was told. Look at it in a browser; if it is still the site that you mean: ${wordsFor(id).allowDeletes}`;
  throw new SafetyStopError(`${what} ${remedy}`, [...before.keys()]);
}

/** Undefined as soon as one page is unchanged. */
function lookedPages(
  { pages, vanished, failures, doubted = [] }: SiteComparison,
  before: ReadonlyMap<string, PageRecord>,
): readonly KnownAndFound[] | undefined {
  const gone = new Set(vanished);
  const failed = new Set(failures.map(({ file }) => file));
  const others = new Map(doubted.map(({ record }) => [record.url, record]));
  const looked: KnownAndFound[] = [];
  for (const [url, record] of before) {
    const found = others.get(url) ?? (gone.has(url) || failed.has(url) ? undefined : pages.get(url));
    if (found === record) return undefined;
    if (found === undefined && !gone.has(url)) continue;
    const known = decodePageRecord(record);
    looked.push({ known, found: found === undefined ? undefined : decodePageRecord(found) });
  }
  return looked;
}
