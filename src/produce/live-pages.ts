import type { FoundPage } from '../crawl/site-crawl.ts';
import type { SiteScope } from '../crawl/site-scope.ts';
import { leftChanges, type TwoLooks } from '../diff/left-changes.ts';
import type { PageChange } from '../diff/page-change.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { isOnlyNotice, isStillItself, type NoticeKind, noticeOf } from '../extract/notice-page.ts';
import { ownedLines } from '../extract/owned-lines.ts';
import { validatorsOf } from '../fetch/response-headers.ts';
import {
  decodePageRecord,
  decodePageVisit,
  encodePageRecord,
  type PageRecord,
  type PageVisit,
} from '../log/pages-file.ts';
import type { FileFailure } from '../model/folder.ts';
import type { FoundBy, Page } from '../model/page.ts';
import type { Spot } from '../model/spot.ts';
import type { RememberedTerms } from '../model/uses.ts';
import { comparePage, completedPage, declaredOf, finerChanges, readPage, withAnchorKinds } from './compare-page.ts';
import { type Doubt, type DoubtedReading, doubtOf, hasEnd } from './doubtful-page.ts';
import { LiveTerms, type LiveTermsOptions, usesNow } from './live-terms.ts';
import { BREAKER_PAGES, BREAKER_SHARE } from './safety.ts';
import type { SafetyWords } from './safety-words.ts';
import { SiteFrame } from './site-frame.ts';
import { type SiteRules, UNRULED } from './site-rules.ts';
import type { CompareOptions, DoubtedPage, SiteChange } from './site-source.ts';
import { SuddenLikeness } from './sudden-likeness.ts';
import { DOUBTS, NO_TEXT, NOTICES, RULED_OUT } from './unread-words.ts';
import { VolatileSpots } from './volatile/volatile-spots.ts';

export interface LivePageReaderOptions extends Pick<CompareOptions, 'onPage' | 'rules'>, LiveTermsOptions {
  /**
   * The pages come from a copy of the site. Its validators do not apply to the site, so none is kept. A page that is as before stays as it is, and a
   * page that the copy finds in another way than the site was found is not new.
   */
  readonly isMirror?: boolean;
  readonly foundBefore?: FoundBy | undefined;
  /** Believe a page that reads like a login or a notice. */
  readonly believesNotices?: boolean;
  /** Doubtful pages are looked at again later: see {@link LivePageReader.doubted}. */
  readonly looksAgain?: boolean | undefined;
  /** The number of this look at the site. Absent if looks are not counted: then nothing counts as volatile. */
  readonly look?: number | undefined;
}

interface Judgement {
  /** The found changes that are reported. */
  readonly left: readonly SiteChange[];
  /** Changes that were held back and have become still. */
  readonly late: readonly PageChange[];
  readonly spots: readonly Spot[];
  readonly rest?: TwoLooks | undefined;
}

/** Turns live pages into records and changes, one by one as they are read. */
export class LivePageReader {
  readonly records = new Map<string, PageRecord>();
  readonly failures: FileFailure[] = [];
  changes: SiteChange[] = [];
  /** How many parsed pages have no part that the only-these-parts rules name. */
  unmatched = 0;
  private readonly before: ReadonlyMap<string, PageRecord>;
  private readonly scope: Pick<SiteScope, 'take' | 'publicUrl'>;
  private readonly options: LivePageReaderOptions;
  private readonly rules: SiteRules;
  /** Known pages that say they do not exist, although their host says they do. */
  readonly seemingGone: string[] = [];
  /** Known pages that may have been replaced or truncated in transit. They are among the failures. */
  doubted: DoubtedPage[] = [];
  private readonly noticesOfKnown = new Set<NoticeKind>();
  /** New pages that may be such notices, or may only read like one. */
  private readonly seemingNotices = new Map<string, NoticeKind>();
  private readonly likeness: SuddenLikeness;
  private readonly frame = new SiteFrame();
  private readonly terms: LiveTerms;
  private readonly volatile: VolatileSpots | undefined;

  constructor(
    before: ReadonlyMap<string, PageRecord>,
    scope: Pick<SiteScope, 'take' | 'publicUrl'>,
    options: LivePageReaderOptions = {},
  ) {
    this.before = before;
    this.scope = scope;
    this.options = options;
    this.rules = options.rules ?? UNRULED;
    this.likeness = new SuddenLikeness(before);
    this.terms = new LiveTerms(options);
    this.volatile = options.look === undefined ? undefined : new VolatileSpots(before, options.look);
  }

  read(found: FoundPage): void | Promise<void> {
    const said = this.terms.of(found.page);
    return said === undefined ? this.take(found) : said.then((terms) => this.take(found, terms));
  }

  /** For an unchanged page: what its site says about its use may have changed. */
  async readAgain(address: string): Promise<void> {
    const known = this.before.get(this.scope.publicUrl(address));
    const record = known === undefined ? undefined : await this.terms.again(known, address);
    if (record !== undefined) this.records.set(record.url, record);
  }

  private take(found: FoundPage, said?: RememberedTerms): void | Promise<void> {
    const { text, bytesHash, bytesLength: bytes } = found.page;
    const url = this.scope.publicUrl(found.address);
    const known = this.before.get(url);
    if (this.keepsMirrored(found, url, known)) return;
    if (known?.file === bytesHash && this.mayBeSame(known)) {
      const visit = this.visitOf(found, known, this.terms.settle(url, known, { said }));
      this.records.set(url, encodePageRecord({ ...known, bytes }, decodePageRecord(known), visit));
      return;
    }
    const page = readPage(text, url, known, this.rules.now);
    if (page.markdown.trim() === '') {
      const message = this.choosesElements ? RULED_OUT : NO_TEXT;
      this.failures.push({ file: found.address, message });
      return;
    }
    const notice = known?.file === bytesHash ? undefined : this.noticeIn(page, text, known);
    if (notice !== undefined) {
      this.failures.push({ file: found.address, message: NOTICES[notice] });
      if (notice === 'not-found' && known !== undefined) this.seemingGone.push(url);
      return;
    }
    this.unmatched += Number(page.isUnmatched ?? false);
    const { claimedTime, foundBy } = found;
    const claimed = claimedTime === undefined ? {} : { claimedTime };
    const facts = { pageChecksum: page.checksum, ...claimed, ...declaredOf(text, known), ...usesNow(known, said) };
    const wasCut = known !== undefined && decodePageVisit(known).isCut === true;
    const compared = comparePage(known, { page, html: text, file: bytesHash }, this.rules);
    const differences = wasCut && hasEnd(text) ? completedPage(page, compared) : compared;
    const withFacts = (list: readonly PageChange[]) => list.map((change) => ({ ...change, ...facts }));
    const finer = withFacts(finerChanges(known, page, differences));
    const told = { changes: withFacts(differences), finer };
    const doubt = differences.length > 0 ? this.doubtIn({ page, html: text, bytes }, known) : undefined;
    // A replacement is not text of the page, so nothing is learned from it. Another text may be.
    const isOfPage = doubt === undefined || doubt === 'other';
    const { spots, rest, late, left }: Judgement = isOfPage
      ? this.judge(found, { page, known }, told)
      : { left: told.changes, late: [], spots: [] };
    const changes = [...left, ...withFacts(late)];
    if (this.options.isMirror && known !== undefined && changes.length === 0) {
      this.records.set(url, known);
      return;
    }
    const modifiedMs = known?.file === bytesHash ? known.modifiedMs : undefined;
    const outline = { ...page, spots };
    const isDoubted = doubt !== undefined && changes.length > 0;
    const visit = this.visitOf(found, known, this.terms.settle(url, known, { said, isDoubted }));
    const record = encodePageRecord({ file: bytesHash, bytes, modifiedMs }, outline, visit);
    if (changes.length > 0) this.likeness.note(page);
    if (doubt !== undefined && changes.length > 0) {
      this.failures.push({ file: found.address, message: DOUBTS[doubt] });
      this.doubted.push({ record, changes });
    } else {
      this.records.set(url, record);
      this.changes.push(...changes);
      if (known !== undefined) this.frame.note({ page, known, record, changes, finer, rest });
    }
    return this.options.onPage?.({ page, html: text, record, changes, finer, foundBy });
  }

  /**
   * Treats pages that differed before and are now all the same as unread; a safety stop if they are much of the site. The same applies to a new page
   * that reads like the replacement of others.
   */
  distrustNotices(words: SafetyWords): void {
    const notices = [...this.seemingNotices].filter(([, kind]) => this.noticesOfKnown.has(kind));
    for (const [url, kind] of notices) this.fail(this.scope.take(url) ?? url, NOTICES[kind]);
    this.forget(notices.map(([url]) => url));
    for (const { urls, turned } of this.likeness.groups()) {
      if (turned.length > BREAKER_PAGES && turned.length > this.before.size * BREAKER_SHARE) {
        throw new SafetyStopError(
          `${turned.length} of ${this.before.size} pages say the same now, ${turned[0]} among them. Nothing was written. ` +
            `Look at the site in a browser; if that is meant, say ${words.allowDeletes}.`,
          turned,
        );
      }
      const message = `It says the same as ${urls.length - 1} other pages now. If that is meant, say ${words.allowDeletes}.`;
      this.forget(urls);
      for (const url of urls) this.fail(this.scope.take(url) ?? url, message);
    }
  }

  /** After all pages are read: removes the changes of the frame, and returns on how many pages it changed. */
  settleFrame(): number {
    const { changes, pages } = this.frame.settle(this.changes, Math.max(this.before.size, this.records.size));
    this.changes = changes;
    this.settleVolatile();
    return pages;
  }

  /** After everything is settled: reports changes in what is said about the use of pages. `start` represents the site, if it is a page. */
  settleTerms(start = ''): void {
    this.changes = this.terms.told(this.changes, { records: new Map([...this.before, ...this.records]), start });
  }

  /**
   * Whether an unchanged response needs no further work. The page itself is needed after an upgrade of the extractor, with other rules, if it is
   * known only from the log, and if it was volatile and its final text may not have been reported.
   */
  mayBeSame(known: PageRecord): boolean {
    if (known.file === '' || known.extractor !== this.rules.now.extractor) return false;
    return this.volatile?.isDue(known) !== true;
  }

  /** After all pages are read: holds back what changed on most pages at once, at the same block and nowhere else. */
  settleVolatile(): void {
    for (const { url, from, to } of this.volatile?.nameLosses() ?? []) {
      this.rememberSpots(url, (spots) =>
        spots.some(({ key }) => key === to)
          ? spots
          : spots.map((spot) => (spot.key === from ? { ...spot, key: to } : spot)),
      );
    }
    const told = new Set(this.changes.map(({ url }) => url));
    for (const { url, spot } of this.volatile?.atOnce(told) ?? []) {
      if (!this.records.has(url)) continue;
      this.rememberSpots(url, (spots) => [spot, ...spots.filter(({ key }) => key !== spot.key)]);
      this.changes = this.changes.filter((change) => change.url !== url);
    }
  }

  private rememberSpots(url: string, change: (spots: readonly Spot[]) => readonly Spot[]): void {
    const record = this.records.get(url);
    if (record === undefined) return;
    const outline = decodePageRecord(record);
    const spots = change(outline.spots ?? []);
    this.records.set(url, encodePageRecord(record, { ...outline, spots }, decodePageVisit(record)));
  }

  /** What is reported about a page when its volatile parts are held back. */
  private judge(
    { page: { text, fetchedAtMs } }: FoundPage,
    { page, known }: { readonly page: Page; readonly known: PageRecord | undefined },
    found: { readonly changes: readonly SiteChange[]; readonly finer: readonly SiteChange[] },
  ): Judgement {
    const isComparable = known !== undefined && known.file !== '' && known.extractor === page.extractor;
    if (this.volatile === undefined || !isComparable) return { left: found.changes, late: [], spots: [] };
    const before = decodePageRecord(known);
    const owned = () => ownedLines(text, page.url, this.rules.now);
    const { spots, rest } =
      found.changes.length === 0
        ? { spots: before.spots ?? [], rest: undefined }
        : this.volatile.take({ before, after: page, owned, atMs: fetchedAtMs });
    const left = rest === undefined ? found.changes : leftChanges(rest, found);
    const isTold = (anchor: string | undefined) =>
      left.some((change) => change.anchor === undefined || change.anchor === anchor);
    const still = this.volatile.stillChanges(page, spots).filter(({ anchor }) => !isTold(anchor));
    const late = withAnchorKinds(still, { page, html: text });
    return { left, late, spots: this.volatile.settled(spots, [...left, ...late]), rest };
  }

  /** The notice that replaces a page that was different before; for a new page, only an unmistakable notice. */
  private noticeIn(page: Page, html: string, known: PageRecord | undefined): NoticeKind | undefined {
    const kind = this.options.believesNotices ? undefined : noticeOf(page, html);
    if (kind === undefined) return undefined;
    // If the rules leave few words of a page, the whole page decides.
    if (this.choosesElements && noticeOf(readPage(html, page.url, undefined), html) !== kind) return undefined;
    if (known !== undefined) {
      if (isStillItself(kind, decodePageRecord(known), page)) return undefined;
      this.noticesOfKnown.add(kind);
      return kind;
    }
    if (isOnlyNotice(kind, page, html)) return kind;
    this.seemingNotices.set(page.url, kind);
    return undefined;
  }

  private doubtIn(reading: DoubtedReading, known: PageRecord | undefined): Doubt | undefined {
    const { looksAgain = false, believesNotices = false } = this.options;
    if (!looksAgain || believesNotices || known === undefined || known.extractor !== reading.page.extractor)
      return undefined;
    return doubtOf(known, reading);
  }

  private get choosesElements(): boolean {
    return this.rules.now.ignore.length + this.rules.now.only.length > 0;
  }

  /** Records one failure per page at most. */
  private fail(file: string, message: string): void {
    if (!this.failures.some((failure) => failure.file === file)) this.failures.push({ file, message });
  }

  /** Discards these pages as if they had not been read. */
  forget(urls: readonly string[]): void {
    const forgotten = new Set(urls);
    this.doubted = this.doubted.filter(({ record }) => !forgotten.has(record.url));
    for (const url of urls) {
      this.records.delete(url);
      this.terms.forget(url);
    }
    this.changes = this.changes.filter(({ url }) => !forgotten.has(url));
  }

  /** Whether a page of a mirror is settled without parsing. An upgrade of the extractor is left to the site itself. */
  private keepsMirrored({ page, foundBy }: FoundPage, url: string, known: PageRecord | undefined): boolean {
    const { isMirror = false, foundBefore } = this.options;
    if (!isMirror) return false;
    if (known === undefined) return foundBefore !== undefined && foundBy !== foundBefore;
    if (known.file !== page.bytesHash && known.extractor === this.rules.now.extractor) return false;
    this.records.set(url, known);
    return true;
  }

  private visitOf(
    { page, trail }: FoundPage,
    known: PageRecord | undefined,
    terms: Pick<PageVisit, 'terms'>,
  ): PageVisit {
    if (this.options.isMirror) return terms;
    const life = known === undefined ? this.firstVisit(page.fetchedAtMs) : decodePageVisit(known);
    const { isCut, cameMs, wavers }: PageVisit = life;
    return {
      ...validatorsOf(page.headers),
      ...trail,
      ...(isCut && !hasEnd(page.text) && { isCut }),
      ...(cameMs !== undefined && { cameMs }),
      ...(wavers !== undefined && { wavers }),
      ...terms,
    };
  }

  /** For a new page: it may have been truncated, and if the others are known, it appeared now. */
  private firstVisit(nowMs: number): Pick<PageVisit, 'isCut' | 'cameMs'> {
    const isLate = this.options.looksAgain === true && this.before.size > 0;
    return { isCut: true, ...(isLate && { cameMs: nowMs }) };
  }
}
