import type { FoundPage } from '../crawl/site-crawl.ts';
import type { SiteScope } from '../crawl/site-scope.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { validatorsOf } from '../fetch/response-headers.ts';
import { decodePageRecord, encodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { FileFailure } from '../model/folder.ts';
import type { FoundBy } from '../model/page.ts';
import { comparePage, declaredOf, readPage } from './compare-page.ts';
import { BREAKER_PAGES, BREAKER_SHARE } from './safety.ts';
import type { SafetyWords } from './safety-words.ts';
import { type SiteRules, UNRULED } from './site-rules.ts';
import type { CompareOptions, SiteChange } from './site-source.ts';

/** So many pages that suddenly say the same say nothing of their own: a notice, a login, an error with status 200. */
const NOTICE_PAGES = 3;

export interface LivePageReaderOptions extends Pick<CompareOptions, 'onPage' | 'rules'> {
  /**
   * The pages come from a copy of the site. Its validators are its own, so that none is kept; what it says as it was before stays
   * as it was, and what it finds in another way than the site was found is not new.
   */
  readonly isMirror?: boolean;
  readonly foundBefore?: FoundBy | undefined;
}

/** Turns live pages into records and changes, one by one as they are read. */
export class LivePageReader {
  readonly records = new Map<string, PageRecord>();
  readonly failures: FileFailure[] = [];
  changes: SiteChange[] = [];
  /** How many of the pages that were parsed have nothing that the rules read alone. */
  unmatched = 0;
  private readonly before: ReadonlyMap<string, PageRecord>;
  private readonly scope: Pick<SiteScope, 'take' | 'publicUrl'>;
  private readonly options: LivePageReaderOptions;
  private readonly rules: SiteRules;
  /** Pages that are new or changed, by what they say now. */
  private readonly saying = new Map<string, string[]>();

  constructor(
    before: ReadonlyMap<string, PageRecord>,
    scope: Pick<SiteScope, 'take' | 'publicUrl'>,
    options: LivePageReaderOptions = {},
  ) {
    this.before = before;
    this.scope = scope;
    this.options = options;
    this.rules = options.rules ?? UNRULED;
  }

  read(found: FoundPage): void | Promise<void> {
    const { text, bytesHash, bytesLength: bytes } = found.page;
    const url = this.scope.publicUrl(found.address);
    const known = this.before.get(url);
    if (this.keepsMirrored(found, url, known)) return;
    if (known !== undefined && known.file === bytesHash && known.extractor === this.rules.now.extractor) {
      this.records.set(url, encodePageRecord({ ...known, bytes }, decodePageRecord(known), this.visitOf(found)));
      return;
    }
    const page = readPage(text, url, known, this.rules.now);
    if (page.markdown.trim() === '') {
      const message = 'There is no text in it. Pages that scripts draw cannot be read.';
      this.failures.push({ file: found.address, message });
      return;
    }
    this.unmatched += Number(page.isUnmatched ?? false);
    const { claimedTime, foundBy } = found;
    const claimed = claimedTime === undefined ? {} : { claimedTime };
    const facts = { pageChecksum: page.checksum, ...claimed, ...declaredOf(text, known) };
    const changes = comparePage(known, { page, html: text, file: bytesHash }, this.rules).map((change) => ({
      ...change,
      ...facts,
    }));
    if (this.options.isMirror && known !== undefined && changes.length === 0) {
      this.records.set(url, known);
      return;
    }
    const modifiedMs = known?.file === bytesHash ? known.modifiedMs : undefined;
    const record = encodePageRecord({ file: bytesHash, bytes, modifiedMs }, page, this.visitOf(found));
    this.records.set(url, record);
    this.changes.push(...changes);
    if (changes.length > 0) this.saying.set(page.checksum, [...(this.saying.get(page.checksum) ?? []), url]);
    return this.options.onPage?.({ page, html: text, record, changes, foundBy });
  }

  /** Pages that differed and now all say the same are taken for unread; a safety stop if they are much of the site. */
  distrustNotices(words: SafetyWords): void {
    for (const urls of this.saying.values()) {
      const turned = urls.filter((url) => this.before.has(url));
      if (turned.length < NOTICE_PAGES || !this.differed(turned)) continue;
      if (turned.length > BREAKER_PAGES && turned.length > this.before.size * BREAKER_SHARE) {
        throw new SafetyStopError(
          `${turned.length} of ${this.before.size} pages say the same now, ${turned[0]} among them. Nothing was written. ` +
            `Look at the site in a browser; if that is meant, say ${words.allowDeletes}.`,
          turned,
        );
      }
      const message = `It says the same as ${urls.length - 1} other pages now. If that is meant, say ${words.allowDeletes}.`;
      for (const url of urls) this.failures.push({ file: this.scope.take(url) ?? url, message });
      this.forget(urls);
    }
  }

  /** As if these had not been read. */
  forget(urls: readonly string[]): void {
    const forgotten = new Set(urls);
    for (const url of urls) this.records.delete(url);
    this.changes = this.changes.filter(({ url }) => !forgotten.has(url));
  }

  /** Whether a page of a mirror is settled without being parsed. An upgrade of the extractor is left to the site itself. */
  private keepsMirrored({ page, foundBy }: FoundPage, url: string, known: PageRecord | undefined): boolean {
    const { isMirror = false, foundBefore } = this.options;
    if (!isMirror) return false;
    if (known === undefined) return foundBefore !== undefined && foundBy !== foundBefore;
    if (known.file !== page.bytesHash && known.extractor === this.rules.now.extractor) return false;
    this.records.set(url, known);
    return true;
  }

  private visitOf({ page, trail }: FoundPage) {
    return this.options.isMirror ? {} : { ...validatorsOf(page.headers), ...trail };
  }

  private differed(urls: readonly string[]): boolean {
    const checksums = urls.flatMap((url) => {
      const record = this.before.get(url);
      return record === undefined ? [] : decodePageRecord(record).checksum;
    });
    return new Set(checksums).size > 1;
  }
}
