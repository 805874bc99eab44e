import { likenessOf } from '../extract/notice-page.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page } from '../model/page.ts';

/** This many pages that suddenly have the same text are not real pages: a notice, a login, an error with status 200. */
const NOTICE_PAGES = 3;

interface Saying {
  readonly url: string;
  readonly checksum: string;
  /** It shares no section name with its former version. */
  readonly isOther: boolean;
}

/** The new or changed pages of one run, grouped by their text without numbers, ids and times. */
export class SuddenLikeness {
  readonly #before: ReadonlyMap<string, PageRecord>;
  readonly #saying = new Map<string, Saying[]>();

  constructor(before: ReadonlyMap<string, PageRecord>) {
    this.#before = before;
  }

  note(page: Page): void {
    const known = this.#before.get(page.url);
    const names = new Set(known === undefined ? [] : decodePageRecord(known).sections.map(({ anchor }) => anchor));
    const isOther = names.size + page.sections.length > 0 && !page.sections.some(({ anchor }) => names.has(anchor));
    const said = { url: page.url, checksum: page.checksum, isOther };
    const likeness = likenessOf(page);
    const alike = this.#saying.get(likeness);
    if (alike === undefined) this.#saying.set(likeness, [said]);
    else alike.push(said);
  }

  /** Groups of pages that differed before and no longer do; `turned` are the known pages among them. */
  *groups(): Iterable<{ readonly urls: readonly string[]; readonly turned: readonly string[] }> {
    for (const alike of this.#saying.values()) {
      if (alike.length < NOTICE_PAGES) continue;
      // Pages of figures are alike except for the figures: they are a notice only if their structure changed.
      const isOneText = new Set(alike.map(({ checksum }) => checksum)).size === 1;
      const urls = alike.filter(({ isOther }) => isOneText || isOther).map(({ url }) => url);
      const turned = urls.filter((url) => this.#before.has(url));
      if (turned.length >= NOTICE_PAGES && this.#differed(turned)) yield { urls, turned };
    }
  }

  #differed(urls: readonly string[]): boolean {
    const checksums = urls.flatMap((url) => {
      const record = this.#before.get(url);
      return record === undefined ? [] : decodePageRecord(record).checksum;
    });
    return new Set(checksums).size > 1;
  }
}
