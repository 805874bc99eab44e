import type { FoundBy } from '../model/page.ts';
import { CrawlLedger } from './crawl-ledger.ts';
import { type Errand, ErrandQueue } from './errand-queue.ts';
import { folderOfIndex, sortLinks } from './link-traps.ts';
import type { LivePage, NotModified } from './live-page.ts';
import type { CrawlPorts, CrawlRequest, CrawlResult } from './site-crawl.ts';
import { readSiteLinks, type SiteLinks } from './site-links.ts';
import type { SitemapPages } from './site-map-pages.ts';
import { SiteTroubles } from './site-troubles.ts';
import { judgeError } from './visit-error.ts';

/** Pages farther away are only calendars and the like. */
const MAX_CLICKS = 64;
const UNREAD = 'It was not read: the site had stopped answering, or too many of its pages fail.';

/** One crawl of a site: what to read, what was read, and where that leads. */
export class Crawl {
  readonly #request: CrawlRequest;
  readonly #ports: CrawlPorts;
  readonly #sitemaps: SitemapPages;
  readonly #foundBy: FoundBy | undefined;
  readonly #ledger: CrawlLedger;
  readonly #queue = new ErrandQueue();
  /** Folders that a link names by their index file. */
  readonly #indexFiles = new Map<string, string>();
  #reads = 0;
  readonly #troubles = new SiteTroubles();
  #ended: 'down' | 'full' | undefined;

  constructor(request: CrawlRequest, ports: CrawlPorts, sitemaps: SitemapPages, foundBy: FoundBy | undefined) {
    this.#request = request;
    this.#ports = ports;
    this.#sitemaps = sitemaps;
    this.#foundBy = foundBy;
    this.#ledger = new CrawlLedger(request.known);
    this.#ledger.failures.push(...sitemaps.failures);
    this.#ledger.notes.push(...sitemaps.notes);
  }

  /** Whether everything that had to be read so far could be read. */
  get isWhole(): boolean {
    return this.#ledger.failures.length === 0 && this.#ended === undefined;
  }

  /** Adds a URL that the site itself leads to. */
  add(errand: Errand): void {
    this.#ledger.name(errand.address);
    this.#enqueue(errand);
  }

  addKnown(): void {
    for (const [address, { clicks }] of this.#request.known) this.#enqueue({ address, clicks });
  }

  /** A known page that nothing led to no longer exists. */
  miss(address: string): void {
    if (!this.#ledger.isSettled(address)) this.#ledger.settle(address, 'gone', 'No sitemap lists it.');
  }

  async run(): Promise<void> {
    for (let errand = this.#next(); errand !== undefined; errand = this.#next()) {
      if (this.#reads >= this.#request.maxPages) {
        this.#endFull();
        return;
      }
      this.#reads += 1;
      await this.#visit(errand);
      this.#ports.onProgress({ done: this.#reads, known: this.#reads + this.#queue.size });
    }
  }

  result(): CrawlResult {
    return this.#ledger.result(this.#foundBy);
  }

  #enqueue(errand: Errand): void {
    if (this.#ledger.isSettled(errand.address)) return;
    // Unread pages are listed, so that they are not taken for unchanged.
    if (this.#ended === 'down') this.#ledger.settle(errand.address, 'failed', UNREAD);
    else this.#queue.add(errand);
  }

  #next(): Errand | undefined {
    while (this.#ended === undefined) {
      const { probe } = this.#troubles;
      if (probe !== undefined) this.#queue.drop(({ address }) => this.#ledger.isSettled(address));
      const errand = probe === undefined ? this.#queue.takeFirst() : this.#queue.pick(probe);
      if (errand === undefined || !this.#ledger.isSettled(errand.address)) return errand;
    }
    return undefined;
  }

  #addNext(errand: Errand): void {
    if (!this.#ledger.isSettled(errand.address)) this.#queue.addFirst(errand);
  }

  async #visit(errand: Errand): Promise<void> {
    const { address } = errand;
    const { pages, signal, maxWaitMs } = this.#ports;
    // Links can only be read from a page that is sent, unless they are stored.
    const mayBeSame = !errand.ignoreCanonical && (this.#foundBy !== 'links' || this.#request.foundBefore === 'links');
    const validators = mayBeSame ? this.#request.known.get(address)?.validators : undefined;
    try {
      const answer = await pages.read({ url: new URL(address), validators, signal, maxWaitMs });
      this.#forgetTroubles();
      await this.#take(errand, answer);
    } catch (error) {
      signal.throwIfAborted();
      this.#takeError(address, error);
    }
    this.#lookBack(errand);
  }

  async #take(errand: Errand, answer: LivePage | NotModified): Promise<void> {
    const { address, canonicalOf } = errand;
    const found = this.#nameOf(address, answer.url);
    if (found === undefined && this.#isDoor(address) && answer.kind === 'page') {
      this.#follow(errand, readSiteLinks(answer).links);
      this.#ledger.settle(address, 'none', 'It is read for its links only.');
      return;
    }
    if (found === undefined) {
      const advice = this.#isStart(address) ? ' Give the address that it leads to.' : '';
      this.#settleNoPage(address, 'none', `It leads to ${answer.url.href}, out of the site.${advice}`);
      return;
    }
    const isForNow = answer.isForNow ?? false;
    if (found !== address && isForNow && this.#request.known.has(address)) {
      this.#ledger.settleDetour(address, found);
      return;
    }
    if (found !== address) this.#ledger.settleMove(address, found, { isForNow });
    if (answer.kind === 'not-modified') {
      // The validators belonged to the page at another URL.
      if (found !== address) this.#addNext({ ...errand, address: found });
      else this.#keep(errand);
      return;
    }
    const leadsBack = found !== address && found === canonicalOf;
    if (leadsBack) await this.#takePage({ address: found, clicks: errand.clicks, ignoreCanonical: true }, answer);
    else if (!this.#ledger.isSettled(found)) await this.#takePage({ ...errand, address: found }, answer);
  }

  /** The URL of a page that was found at `url` after a request for `asked`. */
  #nameOf(asked: string, url: URL): string | undefined {
    const found = this.#request.scope.take(url);
    if (found === undefined || found === asked || !found.includes('?') || this.#sitemaps.pages.has(found)) return found;
    // A query that a host adds may differ each time.
    return found.split('?')[0] === asked.split('?')[0] ? asked : undefined;
  }

  async #takePage(errand: Errand, page: LivePage): Promise<void> {
    const { address } = errand;
    if (page.mediaType !== 'text/html' && page.mediaType !== 'application/xhtml+xml') {
      this.#ledger.settle(address, 'none', `It is ${page.mediaType}, not HTML.`);
      return;
    }
    const said = readSiteLinks(page);
    if (this.#isElsewhere(errand, said)) return;
    this.#follow(errand, said.links);
    if (!said.mayIndex) {
      this.#ledger.settle(address, 'none', 'It asks not to be listed (noindex).');
      return;
    }
    this.#ledger.settlePage(address, { isSame: false });
    const claimedTime = this.#sitemaps.pages.get(address);
    const trail = this.#ledger.trailOf(address);
    await this.#ports.onPage({
      address,
      page,
      ...(claimedTime !== undefined && { claimedTime }),
      foundBy: this.#foundBy,
      trail,
    });
  }

  /** Whether the page says that it is at another URL; if so, that is requested next. */
  #isElsewhere({ address, clicks, ignoreCanonical }: Errand, { refresh, canonical }: SiteLinks): boolean {
    const { scope, known } = this.#request;
    const next = refresh === undefined ? address : scope.take(refresh);
    if (next === undefined) {
      this.#ledger.settle(address, 'none', `It leads to ${refresh}, out of the site.`);
      return true;
    }
    if (next !== address) {
      this.#ledger.settleMove(address, next);
      this.#addNext({ address: next, clicks });
      return true;
    }
    const target = canonical === undefined || ignoreCanonical ? address : (scope.take(canonical) ?? address);
    const outcome = this.#ledger.outcomeOf(target);
    if (target === address || outcome === 'gone' || outcome === 'none') return false;
    const path = this.#ledger.pathOf(target);
    if (path.at(-1) !== address) {
      this.#ledger.settleMove(address, target);
      this.#addNext({ address: target, clicks, canonicalOf: address });
      return true;
    }
    // If pages name each other as canonical, the known one is kept.
    const keeper = known.has(address) ? undefined : path.find((other) => known.has(other));
    if (keeper === undefined) return false;
    this.#ledger.reopen(keeper);
    this.#ledger.settleMove(address, keeper);
    this.#addNext({ address: keeper, clicks, ignoreCanonical: true });
    return true;
  }

  #keep(errand: Errand): void {
    this.#ledger.settlePage(errand.address, { isSame: true });
    this.#follow(errand, this.#request.known.get(errand.address)?.deadLinks ?? []);
  }

  #follow({ address, clicks = 0 }: Errand, links: readonly string[]): void {
    if (this.#foundBy !== 'links') return;
    const sorted = sortLinks(links, this.#request.scope);
    const targets = new Set(sorted.targets);
    targets.delete(address);
    this.#ledger.leaveOut(sorted.leftOut);
    const isFar = clicks >= MAX_CLICKS;
    this.#ledger.settleTrail(address, { clicks, deadLinks: isFar ? [] : [...targets] });
    if (isFar && targets.size > 0) {
      this.#ledger.notes.push({ url: address, message: `It is ${clicks} links away; its own are not followed.` });
    }
    for (const target of isFar ? [] : targets) {
      const folder = folderOfIndex(target) ?? target;
      if (folder !== target) this.#indexFiles.set(folder, target);
      const isNoFolder = this.#ledger.outcomeOf(folder) === 'gone';
      this.add({ address: isNoFolder ? target : folder, clicks: clicks + 1 });
    }
  }

  #takeError(address: string, error: unknown): void {
    const { scope, known } = this.#request;
    const isKnown = known.has(address);
    const isWanted = isKnown || address === scope.base.href || this.#sitemaps.pages.has(address);
    const { outcome, message, trouble } = judgeError(error, { scope, isKnown, isWanted });
    this.#settleNoPage(address, outcome, message);
    if (trouble === undefined) this.#forgetTroubles();
    else this.#troubles.add(trouble);
    if (this.#troubles.isDown({ hasRead: this.#reads > this.#troubles.count })) this.#endDown();
  }

  /** Pages near one that answered will probably answer, too. */
  #forgetTroubles(): void {
    if (this.#troubles.probe !== undefined) this.#queue.goOnAroundPicked();
    this.#troubles.clear();
  }

  /** The start of a crawl by links must be a page; otherwise nothing is known about the site. */
  #isStart(address: string): boolean {
    const { scope, known } = this.#request;
    return this.#foundBy === 'links' && address === scope.base.href && !known.has(address);
  }

  /** The base, if it is not a page of the site itself: the links still start there. */
  #isDoor(address: string): boolean {
    const { scope } = this.#request;
    return this.#foundBy === 'links' && address === scope.base.href && scope.take(scope.base) === undefined;
  }

  #settleNoPage(address: string, outcome: 'gone' | 'none' | 'failed', message: string): void {
    this.#ledger.settle(address, this.#isStart(address) ? 'failed' : outcome, message);
  }

  #endDown(): void {
    this.#ended = 'down';
    for (const errand of this.#queue.takeAll()) this.#enqueue(errand);
  }

  #endFull(): void {
    this.#ended = 'full';
    const message = `It has more than ${this.#request.maxPages} pages. Those that were not read stay as they were; raise the limit (--max-pages, or maxPages of a source).`;
    this.#ledger.failures.push({ url: this.#request.scope.base.href, message });
  }

  /** What a response means for the URL that led here. */
  #lookBack({ address, clicks, canonicalOf }: Errand): void {
    const outcome = this.#ledger.outcomeOf(address);
    const indexFile = this.#indexFiles.get(address);
    if (outcome === 'gone' && indexFile !== undefined) this.add({ address: indexFile, clicks });
    if (canonicalOf === undefined || this.#ledger.outcomeOf(canonicalOf) !== 'moved') return;
    if (outcome !== 'gone' && outcome !== 'none') return;
    this.#ledger.reopen(canonicalOf);
    this.#addNext({ address: canonicalOf, clicks, ignoreCanonical: true });
  }
}
