import type { SourceConfig } from '../config/source-config.ts';
import { rhythmOf } from '../schedule/rhythm.ts';
import type { SiteGlance } from './glance-at-site.ts';

/** What it will cost the site, and the hub, to watch it. */
export interface ExpectedCost {
  /** How it is reckoned, in sentences. */
  readonly words: readonly string[];
  readonly perLook: Amount;
  /** Where much changes, at first, and where nothing does. */
  readonly perDay: Readonly<Record<'busy' | 'atFirst' | 'quiet', DayCost>>;
  /** There may be more pages than are known. */
  readonly isAtLeast: boolean;
}

interface Amount {
  readonly requests: number;
  readonly bytes: number;
}

interface DayCost extends Amount {
  /** From one look to the next. */
  readonly everySeconds: number;
  readonly looks: number;
}

interface LookCost extends Amount {
  readonly words: readonly string[];
  /** How long a look waits between requests. */
  readonly tookMs: number;
  readonly isAtLeast: boolean;
}

export interface CostFacts {
  readonly config: SourceConfig;
  readonly look: SiteGlance;
  readonly allowPrivate: boolean;
  /** The pause after each page. */
  readonly cooldownMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Headers of an answer that says: not modified. */
const UNCHANGED_BYTES = 300;
/** The assumed size of a page if none could be read. */
const USUAL_PAGE_BYTES = 50_000;

/** Undefined where nothing of the site can be read. */
export function expectedCost(facts: CostFacts): ExpectedCost | undefined {
  const { config, look, allowPrivate } = facts;
  const choice = look.discovery?.choice;
  if (choice === undefined) return undefined;
  const isFeed = config.kind === 'feed' || (config.kind === 'auto' && !OF_PAGES.has(choice.dialect));
  const dialect = config.kind === 'feed' ? config.dialect : choice.dialect;
  const one = isFeed ? feedLook(look, choice.url) : pagesLook(facts);
  const rhythm = rhythmOf(config, isFeed ? { rung: 'feed', dialect } : { rung: 'pages' }, { allowPrivate });
  const day = (intervalMs: number): DayCost => {
    const everyMs = config.intervalSeconds === undefined ? intervalMs + one.tookMs : Math.max(intervalMs, one.tookMs);
    const looks = Math.max(1, Math.round(DAY_MS / everyMs));
    return {
      everySeconds: Math.round(everyMs / 1000),
      looks,
      requests: looks * one.requests,
      bytes: looks * one.bytes,
    };
  };
  const { requests, bytes, words, isAtLeast } = one;
  return {
    words: [...words, RHYTHM_WORDS],
    perLook: { requests, bytes },
    perDay: { busy: day(rhythm.shortestMs), atFirst: day(rhythm.startMs), quiet: day(rhythm.longestMs) },
    isAtLeast,
  };
}

const RHYTHM_WORDS =
  'A day is looks × what one look costs. The rhythm adapts: sooner where something changes, up to once a day where nothing does. What has changed is read whole on top of that.';

/** Ways that are read as pages. */
const OF_PAGES = new Set(['pages', 'sitemap', 'markdown']);

function feedLook({ answers }: SiteGlance, url: string): LookCost {
  const { bytes: whole = 0, hasValidator = false } = answers.get(url) ?? {};
  const bytes = hasValidator ? UNCHANGED_BYTES : Math.max(whole, UNCHANGED_BYTES);
  const size = whole === 0 ? '' : ` (${whole} bytes when it has changed)`;
  const words = hasValidator
    ? `One look asks for the feed, on the condition that it has changed: 1 request, about ${bytes} bytes${size}.`
    : `One look asks for the whole feed: 1 request, about ${bytes} bytes.`;
  const honesty = 'A few of its pages are read once a day, to see whether the feed tells the truth.';
  return { requests: 1, bytes, words: [words, honesty], tookMs: 0, isAtLeast: false };
}

function pagesLook({ config, look, cooldownMs }: CostFacts): LookCost {
  const { sitemaps, isPart, links, listed } = look;
  const isOne = config.kind === 'page';
  const most = 'maxPages' in config ? (config.maxPages ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const pages = isOne ? config.urls.length : Math.min(most, listed > 0 ? listed : links + 1);
  const files = isOne ? 0 : sitemaps.files;
  const isAtLeast = !isOne && (isPart || listed === 0);
  const pageBytes = bytesOfPage(look);
  const bytes = Math.round((isOne ? 0 : sitemaps.bytes) + pages * pageBytes);
  const requests = files + pages;
  const tookMs = requests * cooldownMs;
  const count = `${isAtLeast ? 'at least ' : ''}${pages} ${pages === 1 ? 'page' : 'pages'}`;
  const known = isOne
    ? 'the page itself'
    : listed > 0
      ? `${count} that ${files === 1 ? '1 sitemap names' : `${files} sitemaps name`}`
      : `${count}: there is no sitemap, and links lead further`;
  return {
    requests,
    bytes,
    words: [
      `One look asks for ${known}: ${files} + ${pages} = ${requests} requests.`,
      `${files > 0 ? `${sitemaps.bytes} bytes of sitemaps + ` : ''}${pages} × ${pageBytes} bytes for a page that has not changed = ${bytes} bytes.`,
      `With ${cooldownMs / 1000} s between two requests it takes about ${Math.ceil(tookMs / 1000)} s.`,
    ],
    tookMs,
    isAtLeast,
  };
}

/** For an unchanged page: some hosts send it in full anyway. */
function bytesOfPage({ pages, answers }: SiteGlance): number {
  const read = pages.flatMap((page) => (page.kind === 'failed' ? [] : [page]));
  if (read.length === 0) return USUAL_PAGE_BYTES;
  const sizes = read.map(({ url, bytesLength, headers }) => {
    const hasValidator =
      answers.get(url.href)?.hasValidator ?? (headers.etag ?? headers['last-modified']) !== undefined;
    return hasValidator ? UNCHANGED_BYTES : bytesLength;
  });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
}
