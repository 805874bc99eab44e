import { folderOfIndex } from './link-traps.ts';
import type { CrawlResult, KnownPage, PageTrail } from './site-crawl.ts';
import type { CrawlNote } from './site-map-pages.ts';

export type Outcome = 'page' | 'gone' | 'none' | 'failed' | 'moved';

/** More of them come from a trap, and a list of them would be endless, too. */
const MAX_LEFT_OUT = 1000;
const UNNAMED = 'It and more links are not followed, and not named here.';

export function leadsForNow(target: string): string {
  return `It leads to ${target} for now, and stays as it was.`;
}

interface Move {
  readonly to: string;
  readonly isForNow: boolean;
}

/** The outcome of each URL so far. */
export class CrawlLedger {
  readonly failures: CrawlNote[] = [];
  readonly notes: CrawlNote[] = [];
  readonly #known: ReadonlyMap<string, KnownPage>;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #moves = new Map<string, Move>();
  /** URLs that something other than a temporary redirect names. */
  readonly #named = new Set<string>();
  /** Temporary targets of known pages. */
  readonly #detours = new Set<string>();
  readonly #same = new Set<string>();
  readonly #leftOut = new Map<string, string>();
  readonly #trails = new Map<string, PageTrail>();

  constructor(known: ReadonlyMap<string, KnownPage>) {
    this.#known = known;
  }

  outcomeOf(address: string): Outcome | undefined {
    return this.#outcomes.get(address);
  }

  isSettled(address: string): boolean {
    return this.#outcomes.has(address);
  }

  /** Marks a URL to be requested again. */
  reopen(address: string): void {
    this.#outcomes.delete(address);
    this.#moves.delete(address);
  }

  settlePage(address: string, { isSame }: { readonly isSame: boolean }): void {
    this.#moves.delete(address);
    this.#outcomes.set(address, 'page');
    if (isSame) this.#same.add(address);
  }

  /** For an unknown URL only a failure matters. A known page that is now `none` is kept, and that is reported. */
  settle(address: string, outcome: 'gone' | 'none' | 'failed', message: string): void {
    this.#outcomes.set(address, outcome);
    const isKnown = this.#known.has(address);
    if (outcome === 'failed' || (outcome === 'none' && isKnown)) this.failures.push({ url: address, message });
    else if (!isKnown) this.notes.push({ url: address, message });
  }

  settleMove(from: string, to: string, { isForNow = false }: Pick<Partial<Move>, 'isForNow'> = {}): void {
    this.#outcomes.set(from, 'moved');
    this.#moves.set(from, { to, isForNow });
    if (!isForNow) this.#named.add(to);
  }

  /** A known page with a temporary redirect counts as unread, and its target is not a page because of that. */
  settleDetour(from: string, to: string): void {
    this.#detours.add(to);
    this.settle(from, 'failed', leadsForNow(to));
  }

  /** The site itself leads there: by a sitemap or a link. */
  name(address: string): void {
    this.#named.add(address);
  }

  /** Links that are not followed, with the reasons. Those that turn out to be pages in another way are removed in the end. */
  leaveOut(links: ReadonlyMap<string, string>): void {
    for (const [address, reason] of links) {
      if (this.#leftOut.size > MAX_LEFT_OUT) return;
      if (this.#leftOut.has(address)) continue;
      this.#leftOut.set(address, this.#leftOut.size < MAX_LEFT_OUT ? reason : UNNAMED);
    }
  }

  settleTrail(address: string, trail: PageTrail): void {
    this.#trails.set(address, trail);
  }

  trailOf(address: string): PageTrail | undefined {
    return this.#trails.get(address);
  }

  /** The URLs from `from` to the end of its moves, both included. */
  pathOf(from: string): readonly string[] {
    const path = [from];
    for (let to = this.#moves.get(from)?.to; to !== undefined && !path.includes(to); to = this.#moves.get(to)?.to)
      path.push(to);
    return path;
  }

  result(foundBy: CrawlResult['foundBy']): CrawlResult {
    const gone = new Set<string>();
    const moved = new Map<string, string>();
    for (const address of this.#known.keys()) {
      const outcome = this.#outcomes.get(address);
      if (outcome === 'gone') gone.add(address);
      if (outcome !== 'moved') continue;
      const path = this.pathOf(address);
      const target = path.at(-1) ?? address;
      if (path.some((each) => this.#moves.get(each)?.isForNow)) this.settleDetour(address, target);
      else if (this.#outcomes.get(target) === 'page') moved.set(address, target);
      else this.failures.push({ url: address, message: `It leads to ${target}, which is no page that can be read.` });
    }
    const { failures } = this;
    const same = this.#same;
    const leftOut = [...this.#leftOut].filter(([address]) => !this.#outcomes.has(address));
    const notes = [...this.notes, ...leftOut.map(([url, message]) => ({ url, message }))];
    const isNamed = (address: string) => this.#named.has(address);
    const detours = new Set([...this.#detours].filter((address) => !isNamed(address) && !this.#known.has(address)));
    const notFound = new Set([...gone].filter(isNamed));
    return { foundBy, same, gone, notFound, moved, detours, trails: this.#finishedTrails(), failures, notes };
  }

  #endOf(address: string): string {
    return this.pathOf(address).at(-1) ?? address;
  }

  /** Of the links of each page, those that led to no page. */
  #finishedTrails(): ReadonlyMap<string, PageTrail> {
    const isPage = (address: string) => this.#outcomes.get(this.#endOf(address)) === 'page';
    const isDead = (link: string) => !isPage(link) && !isPage(folderOfIndex(link) ?? link);
    const finished = new Map<string, PageTrail>();
    for (const [address, { clicks, deadLinks }] of this.#trails) {
      if (this.#outcomes.get(address) === 'page') {
        finished.set(address, { clicks, deadLinks: deadLinks.filter(isDead).sort() });
      }
    }
    return finished;
  }
}
