import type { LivePage } from '../crawl/live-page.ts';
import type { SiteTerms } from '../crawl/site-terms.ts';
import { decodePageRecord, decodePageVisit, encodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { RememberedTerms, Uses } from '../model/uses.ts';
import type { SiteChange } from './site-source.ts';
import { TermsNews, type ToldPages, usesFact } from './terms-news.ts';

const NEVER = new AbortController().signal;

export interface LiveTermsOptions {
  /** Absent: terms are not read. */
  readonly terms?: SiteTerms | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What only a copy of the site says does not count for the site. */
  readonly isMirror?: boolean;
}

/** Tracks what is said about the use of pages while a site is read. */
export class LiveTerms {
  readonly #terms: SiteTerms | undefined;
  readonly #signal: AbortSignal;
  readonly #news = new TermsNews();

  constructor({ terms, signal = NEVER, isMirror = false }: LiveTermsOptions) {
    this.#terms = isMirror ? undefined : terms;
    this.#signal = signal;
  }

  /** Undefined if terms are not read. */
  of(page: LivePage): Promise<RememberedTerms> | undefined {
    return this.#terms?.of(page, this.#signal);
  }

  /** The record of an unchanged page with what its site now says about its use; undefined if that is unchanged, too. */
  async again(known: PageRecord, address: string): Promise<PageRecord | undefined> {
    const visit = decodePageVisit(known);
    if (visit.terms === undefined || this.#terms === undefined) return undefined;
    const said = await this.#terms.again(new URL(address), visit.terms, this.#signal);
    const kept = this.#news.settle(known.url, visit.terms, said);
    if (kept.uses === visit.terms.uses && kept.isPart === visit.terms.isPart) return undefined;
    return encodePageRecord(known, decodePageRecord(known), { ...visit, terms: kept });
  }

  /** What is stored about a page that was read. A doubtful page counts for nothing yet. */
  settle(
    url: string,
    known: PageRecord | undefined,
    { said, isDoubted = false }: SaidTerms,
  ): { readonly terms?: RememberedTerms } {
    const before = knownTerms(known);
    const isHeld = said === undefined || (isDoubted && before !== undefined);
    const terms = isHeld ? before : this.#news.settle(url, before, said);
    return terms === undefined ? {} : { terms };
  }

  forget(url: string): void {
    this.#news.forget(url);
  }

  told(changes: readonly SiteChange[], pages: ToldPages): SiteChange[] {
    return [...this.#news.told(changes, pages)];
  }
}

export interface SaidTerms {
  readonly said: RememberedTerms | undefined;
  readonly isDoubted?: boolean;
}

/** What the changes of a page say about its use. If a file cannot be read now, the known terms apply. */
export function usesNow(known: PageRecord | undefined, said: RememberedTerms | undefined): { readonly uses?: Uses } {
  return usesFact(said?.isPart ? (knownTerms(known) ?? said) : said);
}

function knownTerms(known: PageRecord | undefined): RememberedTerms | undefined {
  return known === undefined ? undefined : decodePageVisit(known).terms;
}
