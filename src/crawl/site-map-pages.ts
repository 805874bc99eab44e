import type { Sitemap } from '../codecs/sitemap/sitemap.ts';
import type { FoundBy } from '../model/page.ts';
import type { SiteScope } from './site-scope.ts';
import { readSitemapFile, type SitemapFile, type SitemapPorts } from './sitemap-file.ts';

/** A message about one URL for a person. */
export interface CrawlNote {
  readonly url: string;
  readonly message: string;
}

/** The pages that the sitemaps of a site list. */
export interface SitemapPages {
  /** By URL, with the time that the sitemap claims. Empty if no sitemap lists pages of the site. */
  readonly pages: ReadonlyMap<string, string | undefined>;
  /** What could not be read. */
  readonly failures: readonly CrawlNote[];
  /** What was read and lists nothing. */
  readonly notes: readonly CrawlNote[];
  /** Whether every sitemap was read, understood to its last entry, and lists more than news. Otherwise absence proves nothing. */
  readonly isWhole: boolean;
}

/** One level more than the specification allows. */
const MAX_DEPTH = 2;
const MAX_FILES = 500;
const MAX_TOTAL_BYTES = 500 * 1024 * 1024;
const GUESSES = ['sitemap.xml', 'sitemap_index.xml'];

/**
 * Reads the sitemaps that robots.txt names, otherwise those at the usual places, until some list pages of the site.
 *
 * A document that is not a sitemap means nothing, unless the site was found by sitemaps before: then it has one, which is temporarily replaced.
 */
export async function readSitemapPages(
  scope: SiteScope,
  foundBefore: FoundBy | undefined,
  ports: SitemapPorts,
): Promise<SitemapPages> {
  const named = (await ports.client.sitemapsOf(scope.base)).map((url) => atBase(url, scope));
  const folders = new Set([scope.base.href, new URL('/', scope.base).href]);
  const guesses = [...folders].flatMap((folder) => GUESSES.map((name) => [new URL(name, folder)]));
  const notes: CrawlNote[] = [];
  for (const urls of [named, ...guesses]) {
    const reading = new SitemapReading(scope, foundBefore === 'sitemaps');
    await reading.readAll(urls, ports);
    // At a usual place, a missing sitemap is normal.
    if (urls === named) notes.push(...reading.notes);
    if (reading.pages.size > 0 || reading.failures.length > 0) return reading;
  }
  return { pages: new Map(), failures: [], notes, isWhole: false };
}

/** Reads one sitemap or sitemap index, and no other. It is a failure if it does not exist or lists no page of the site. */
export async function readGivenSitemap(sitemap: URL, scope: SiteScope, ports: SitemapPorts): Promise<SitemapPages> {
  const reading = new SitemapReading(scope, true);
  await reading.readAll([atBase(sitemap, scope)], ports);
  if (reading.pages.size > 0 || reading.failures.length > 0) return reading;
  const [first] = reading.notes;
  const { elsewhere } = reading;
  const place = elsewhere === undefined ? '' : ` It names ${elsewhere}, which is not below ${scope.base.href}.`;
  const message = first?.message ?? `It names no page of the site.${place}`;
  return { ...reading, failures: [{ url: sitemap.href, message }], isWhole: false };
}

interface Waiting {
  readonly url: URL;
  readonly depth: number;
}

class SitemapReading implements SitemapPages {
  readonly pages = new Map<string, string | undefined>();
  readonly failures: CrawlNote[] = [];
  readonly notes: CrawlNote[] = [];
  isWhole = true;
  /** The first listed URL that is not of the site. */
  elsewhere: string | undefined;
  readonly #scope: SiteScope;
  readonly #mustBe: boolean;
  readonly #waiting: Waiting[] = [];
  readonly #seen = new Set<string>();

  constructor(scope: SiteScope, mustBe: boolean) {
    this.#scope = scope;
    this.#mustBe = mustBe;
  }

  async readAll(urls: readonly URL[], ports: SitemapPorts): Promise<void> {
    for (const url of urls) this.#add(url, 0);
    let files = 0;
    let bytes = 0;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (files >= MAX_FILES || bytes >= MAX_TOTAL_BYTES) {
        const message = `The site has more than ${MAX_FILES} sitemaps, or ${MAX_TOTAL_BYTES} bytes of them; the rest is not read.`;
        this.failures.push({ url: next.url.href, message });
        this.isWhole = false;
        return;
      }
      const file = await readSitemapFile(next.url, ports);
      this.#take(file, next);
      files += 1;
      bytes += file.is === 'sitemap' ? file.bytes : 0;
    }
  }

  #add(url: URL, depth: number): void {
    if (this.#seen.has(url.href)) return;
    this.#seen.add(url.href);
    this.#waiting.push({ url, depth });
  }

  #take(file: SitemapFile, { url, depth }: Waiting): void {
    const note = (message: string) => this.notes.push({ url: url.href, message });
    const fail = (message: string) => this.failures.push({ url: url.href, message });
    // A feed beside the sitemaps does not make them incomplete.
    this.isWhole &&= file.is === 'feed' || (file.is === 'sitemap' && isUnderstood(file.sitemap));
    switch (file.is) {
      case 'absent':
        note('There is no such sitemap.');
        break;
      case 'feed':
        note(file.message);
        break;
      case 'other':
        if (this.#mustBe || depth > 0) fail(file.message);
        else note(file.message);
        break;
      case 'failed':
        fail(file.message);
        break;
      case 'sitemap':
        file.sitemap.problems.forEach(note);
        if (file.sitemap.broken !== undefined) fail(file.sitemap.broken);
        if (file.sitemap.of === 'pages') this.#takePages(file.sitemap);
        else this.#takeChildren(file, depth);
    }
  }

  #takePages({ entries }: Sitemap): void {
    for (const { url, claimedTime } of entries) {
      const address = this.#scope.take(url);
      if (address !== undefined) this.pages.set(address, claimedTime ?? this.pages.get(address));
      else this.elsewhere ??= url;
    }
  }

  /** The specification restricts an index to its own host. */
  #takeChildren({ sitemap, url }: Extract<SitemapFile, { is: 'sitemap' }>, depth: number): void {
    const children = sitemap.entries.map((entry) => atBase(new URL(entry.url), this.#scope));
    const origins = [url.origin, this.#scope.base.origin];
    const isOwn = ({ origin }: URL) => origins.includes(origin);
    const refuse = (refused: readonly URL[], why: string) => {
      const [first] = refused;
      if (first === undefined) return;
      this.failures.push({ url: url.href, message: `It names ${first.href}${others(refused.length - 1)}, ${why}` });
      this.isWhole = false;
    };
    refuse(
      children.filter((child) => !isOwn(child)),
      'on another host.',
    );
    const own = children.filter(isOwn);
    if (depth >= MAX_DEPTH) refuse(own, 'one index too deep.');
    else for (const child of own) this.#add(child, depth + 1);
  }
}

/** Whether a page that it does not list does not exist. */
function isUnderstood({ problems, broken, isNews }: Sitemap): boolean {
  return problems.length === 0 && broken === undefined && isNews !== true;
}

function others(count: number): string {
  return count === 0 ? '' : ` and ${count} more`;
}

/** A copy of the site on another host names the sitemaps of the public one. */
function atBase(url: URL, { base, publicUrl }: SiteScope): URL {
  const isPublic = url.origin === new URL(publicUrl(base.href)).origin;
  return isPublic ? new URL(url.pathname + url.search, base) : url;
}
