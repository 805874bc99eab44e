import type { FoundPage } from '../crawl/site-crawl.ts';
import type { SiteScope } from '../crawl/site-scope.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { EXTRACTOR } from '../extract/extractor-version.ts';
import { validatorsOf } from '../fetch/response-headers.ts';
import { comparePage, readPage } from './compare-page.ts';
import type { FileFailure } from './folder.ts';
import { decodePageRecord, encodePageRecord, type PageRecord } from './pages-file.ts';
import { BREAKER_PAGES, BREAKER_SHARE } from './safety.ts';
import type { SiteChange } from './site-source.ts';

/** So many pages that suddenly say the same say nothing of their own: a notice, a login, an error with status 200. */
const NOTICE_PAGES = 3;

/** Turns live pages into records and changes, one by one as they are read. */
export class LivePageReader {
  readonly records = new Map<string, PageRecord>();
  readonly failures: FileFailure[] = [];
  changes: SiteChange[] = [];
  private readonly before: ReadonlyMap<string, PageRecord>;
  private readonly scope: SiteScope;
  /** Pages that are new or changed, by what they say now. */
  private readonly saying = new Map<string, string[]>();

  constructor(before: ReadonlyMap<string, PageRecord>, scope: SiteScope) {
    this.before = before;
    this.scope = scope;
  }

  read({ address, page: { text, bytesHash, headers }, claimedTime }: FoundPage): void {
    const url = this.scope.publicUrl(address);
    const known = this.before.get(url);
    const validators = validatorsOf(headers);
    if (known !== undefined && known.file === bytesHash && known.extractor === EXTRACTOR) {
      this.records.set(url, encodePageRecord(bytesHash, decodePageRecord(known), validators));
      return;
    }
    const page = readPage(text, url, known);
    if (page.markdown.trim() === '') {
      this.failures.push({ file: address, message: 'There is no text in it. Pages that scripts draw cannot be read.' });
      return;
    }
    this.records.set(url, encodePageRecord(bytesHash, page, validators));
    const facts = { pageChecksum: page.checksum, ...(claimedTime !== undefined && { claimedTime }) };
    const changes = comparePage(known, page, bytesHash);
    this.changes.push(...changes.map((change) => ({ ...change, ...facts })));
    if (changes.length > 0) this.saying.set(page.checksum, [...(this.saying.get(page.checksum) ?? []), url]);
  }

  /** Pages that differed and now all say the same are taken for unread; a safety stop if they are much of the site. */
  distrustNotices(): void {
    for (const urls of this.saying.values()) {
      const turned = urls.filter((url) => this.before.has(url));
      if (turned.length < NOTICE_PAGES || !this.differed(turned)) continue;
      if (turned.length > BREAKER_PAGES && turned.length > this.before.size * BREAKER_SHARE) {
        throw new SafetyStopError(
          `${turned.length} of ${this.before.size} pages say the same now, ${turned[0]} among them. Nothing was written. ` +
            'Look at the site in a browser; if that is meant, say --allow-deletes.',
          turned,
        );
      }
      this.distrust(urls);
    }
  }

  private distrust(urls: readonly string[]): void {
    const doubtful = new Set(urls);
    for (const url of urls) {
      this.records.delete(url);
      const message = `It says the same as ${urls.length - 1} other pages now. If that is meant, say --allow-deletes.`;
      this.failures.push({ file: this.scope.take(url) ?? url, message });
    }
    this.changes = this.changes.filter(({ url }) => !doubtful.has(url));
  }

  private differed(urls: readonly string[]): boolean {
    const checksums = urls.flatMap((url) => {
      const record = this.before.get(url);
      return record === undefined ? [] : decodePageRecord(record).checksum;
    });
    return new Set(checksums).size > 1;
  }
}
