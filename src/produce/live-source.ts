import { crawlSite } from '../crawl/crawl-site.ts';
import type { CrawlPorts, CrawlResult, KnownPage } from '../crawl/site-crawl.ts';
import { createSiteScope, type SiteScope } from '../crawl/site-scope.ts';
import type { SiteTerms } from '../crawl/site-terms.ts';
import { diffPages } from '../diff/diff-pages.ts';
import {
  decodePageRecord,
  decodePageVisit,
  encodePageRecord,
  type KnownPages,
  type PageRecord,
} from '../log/pages-file.ts';
import { linkedMoves } from './linked-moves.ts';
import { LivePageReader } from './live-pages.ts';
import { mergedPages } from './merged-pages.ts';
import { FLAGS } from './safety-words.ts';
import { UNRULED } from './site-rules.ts';
import type { CompareOptions, SiteComparison, SiteSource } from './site-source.ts';
import { nextLook } from './volatile/next-look.ts';

export interface LiveSourceOptions extends Pick<CrawlPorts, 'client' | 'pages' | 'gunzip'> {
  /** The URL of the site, with a final slash. */
  readonly base: URL;
  /** The only list of its pages, if given. */
  readonly sitemap?: URL;
  readonly maxPages?: number;
  /** A pause that a host asks for is waited out up to this time; a longer one ends the run. Default: two minutes. */
  readonly maxWaitMs?: number;
  /** The base is a copy of the site: differences are changes, but a missing page proves nothing. */
  readonly isMirror?: boolean;
  /** Reads what is said about the use of pages. Absent: it is not read. */
  readonly terms?: SiteTerms | undefined;
}

const MAX_PAGES = 10_000;
const MAX_WAIT_MS = 120_000;

/** A site on the web as the source of a publish. */
export function liveSource(options: LiveSourceOptions): SiteSource {
  const name = options.base.href;
  return {
    name,
    advice: 'Look at the site in a browser',
    compare: (before, compareOptions) => compareLiveSite(options, before, compareOptions),
  };
}

/**
 * Compares the live site with what is stored about it.
 *
 * A page that did not change is not sent. A page vanishes only if its host says so (404, 410), if it permanently redirects to another page of the
 * site, or if completely read sitemaps do not list it.
 */
async function compareLiveSite(
  live: LiveSourceOptions,
  before: KnownPages,
  options: CompareOptions,
): Promise<SiteComparison> {
  const { isMirror = false } = live;
  const { site, allowDeletes = false, words = FLAGS, rules = UNRULED, looksAgain, onPage } = options;
  const { pages: pagesBefore, foundBy: foundBefore, look } = before;
  const scope = narrowed(createSiteScope(live.base, site), options.accepts);
  const doubts = { believesNotices: allowDeletes, looksAgain, look };
  const saying = { terms: live.terms, signal: options.signal };
  const reader = new LivePageReader(pagesBefore, scope, { isMirror, foundBefore, ...doubts, ...saying, rules, onPage });
  const known = knownPages(before, scope, (record) => !isMirror && reader.mayBeSame(record));
  const crawl = await crawlSite(
    { scope, known, foundBefore, sitemap: live.sitemap, maxPages: live.maxPages ?? MAX_PAGES },
    {
      client: live.client,
      pages: live.pages,
      gunzip: live.gunzip,
      signal: options.signal ?? new AbortController().signal,
      maxWaitMs: live.maxWaitMs ?? MAX_WAIT_MS,
      onPage: (found) => reader.read(found),
      onProgress: ({ done, known: total }) => options.onProgress?.(done, total),
    },
  );
  for (const address of crawl.same) await reader.readAgain(address);
  if (!allowDeletes) reader.distrustNotices(words);
  const frame = reader.settleFrame();

  const urlOf = (address: string) => scope.publicUrl(address);
  const merged = mergedPages(crawl.moved, { allowDeletes, words });
  // A page that replaces several others, or one for now, is not a new page of the site.
  reader.forget([...merged.doubtful, ...crawl.detours].map(urlOf).filter((url) => !pagesBefore.has(url)));
  const missing = isMirror ? [] : [...crawl.gone, ...merged.moved];
  reader.settleTerms(site.href);
  const vanished = missing.map(urlOf).filter((url) => !reader.records.has(url));
  const records = new Map([...pagesBefore, ...reader.records]);
  for (const url of vanished) records.delete(url);
  const deletions = vanished.sort().flatMap((url) => deletionOf(pagesBefore.get(url)));
  return {
    // A mirror has its own URLs, so its links are not kept.
    pages: inOrder(isMirror ? records : withTrails(records, crawl, scope)),
    changes: linkedMoves([...reader.changes.sort((a, b) => compareText(a.url, b.url)), ...deletions], {
      before: pagesBefore,
      after: records,
      redirects: new Map(Array.from(crawl.moved, ([from, to]) => [urlOf(from), urlOf(to)])),
    }),
    vanished,
    notFound: isMirror ? [] : [...crawl.notFound].map(urlOf),
    reached: reader.records.size + [...crawl.same].filter((address) => !reader.records.has(urlOf(address))).length,
    frame,
    unmatched: reader.unmatched,
    failures: [...crawl.failures, ...merged.failures].map(asFailure).concat(reader.failures),
    seemingGone: isMirror ? [] : reader.seemingGone,
    doubted: isMirror ? [] : reader.doubted,
    skipped: crawl.notes.map(asFailure),
    look: nextLook(records.values(), look),
    foundBy: (isMirror ? foundBefore : undefined) ?? crawl.foundBy ?? foundBefore,
  };
}

/** Only the pages that the caller wants. */
function narrowed(scope: SiteScope, accepts: CompareOptions['accepts']): SiteScope {
  if (accepts === undefined) return scope;
  return {
    ...scope,
    take(url) {
      const address = scope.take(url);
      return address !== undefined && accepts(scope.publicUrl(address)) ? address : undefined;
    },
  };
}

function knownPages(
  before: KnownPages,
  scope: SiteScope,
  hasValidators: (record: PageRecord) => boolean,
): ReadonlyMap<string, KnownPage> {
  const known = new Map<string, KnownPage>();
  for (const record of before.pages.values()) {
    const address = scope.take(record.url);
    if (address === undefined) continue;
    const { etag, lastModified, clicks = 0, deadLinks = [] } = decodePageVisit(record);
    const validators = { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
    // The validators of a mirror do not apply to the site.
    known.set(address, { validators: hasValidators(record) ? validators : {}, clicks, deadLinks });
  }
  return known;
}

function deletionOf(record: PageRecord | undefined) {
  return record === undefined ? [] : diffPages(decodePageRecord(record), undefined);
}

/** Links, and dead links, are known only after all pages are read. */
function withTrails(records: ReadonlyMap<string, PageRecord>, { trails }: CrawlResult, scope: SiteScope) {
  const complete = new Map(records);
  for (const [address, { clicks, deadLinks }] of trails) {
    const record = records.get(scope.publicUrl(address));
    if (record === undefined) continue;
    const { etag, lastModified, isCut, cameMs, wavers, terms } = decodePageVisit(record);
    const ways = { clicks, ...(deadLinks.length > 0 && { deadLinks }) };
    const life = {
      ...(isCut && { isCut }),
      ...(cameMs !== undefined && { cameMs }),
      ...(wavers && { wavers }),
      ...(terms && { terms }),
    };
    const visit = { etag, lastModified, ...ways, ...life };
    complete.set(record.url, encodePageRecord(record, decodePageRecord(record), visit));
  }
  return complete;
}

/** Sorted, because a site may list its pages in another order each time. */
function inOrder(records: ReadonlyMap<string, PageRecord>): ReadonlyMap<string, PageRecord> {
  return new Map([...records].sort(([a], [b]) => compareText(a, b)));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function asFailure({ url, message }: { readonly url: string; readonly message: string }) {
  return { file: url, message };
}
