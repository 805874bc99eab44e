import type { LivePage, NotModified } from '../../crawl/live-page.ts';
import { hearPageHubs } from '../../crawl/page-hubs.ts';
import { NotAPageError, PageGoneError } from '../../errors/crawl-error.ts';
import { FetchError } from '../../errors/fetch-error.ts';
import { sourceUnreadError } from '../../errors/source-trouble.ts';
import type { TidingsError } from '../../errors/tidings-error.ts';
import { redirectTarget } from '../../extract/redirect-target.ts';
import type { Validators } from '../../fetch/response-headers.ts';
import { decodePageVisit, type KnownPages, type PageRecord } from '../../log/pages-file.ts';
import { LivePageReader } from '../../produce/live-pages.ts';
import { stopIfManyVanish } from '../../produce/safety.ts';
import type { SafetyWords } from '../../produce/safety-words.ts';
import type { SiteRules } from '../../produce/site-rules.ts';
import type { SiteComparison } from '../../produce/site-source.ts';
import { volatileParts } from '../../produce/volatile/volatile-view.ts';
import type { PageConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { createCarefulClients } from './careful-clients.ts';
import { PageRecorder } from './page-recorder.ts';
import {
  MAX_WAIT_MS,
  missingNotes,
  notesOf,
  type SourceReading,
  shortNotes,
  stopIfHalfRead,
  volatileNotes,
  wordsFor,
} from './source-reading.ts';
import { rulesRead, sourceRulesOf, unmatchedNotes } from './source-rules.ts';
import type { VisitPorts } from './visit-ports.ts';

/** Compares single pages with what is remembered of them. Each keeps the URL under which it was named, even if that redirects. */
export async function visitPages(
  config: PageConfig,
  source: Pick<WatchedSource, 'allowDeletes' | 'health'>,
  ports: VisitPorts,
): Promise<SourceReading> {
  const { id, fallbacks = [] } = config;
  const chosen = sourceRulesOf(config, source.health);
  const isFirstReading = source.health.lastOkMs === undefined;
  const { looks = 0 } = source.health;
  const recorder = await PageRecorder.open({ ...ports, source: id, chosen, looks, isFirstReading });
  const before = recorder.before();
  const urls = [...new Set(config.urls.map(addressOf))].filter(chosen.accepts);
  const ear = hearPageHubs(createCarefulClients(ports, (url) => before.pages.has(url)).pages, urls[0] ?? '');
  const { pages } = ear;
  const allowDeletes = source.allowDeletes ?? false;
  const { onPage } = recorder;
  const { rules } = chosen;
  const reading = { onPage, rules, believesNotices: allowDeletes, looksAgain: true, look: recorder.look };
  const visit = new PagesVisit(before, { pages, signal: ports.signal, terms: ports.terms, ...reading });
  try {
    for (const [at, url] of urls.entries()) {
      ports.onProgress?.(at, urls.length);
      await visit.read(url);
    }
    const fallback = await visit.readInstead(urls, fallbacks);
    const comparison = believed(visit, urls, { id, allowDeletes });
    const from = fallback === undefined ? undefined : fallbacks[fallback];
    const missing = await recorder.finish(comparison, { allowDeletes, from });
    const { failures, vanished } = comparison;
    // A page whose host says that it is missing has been answered: it is listed as unread, but does not count against the others.
    const absent = visit.absent();
    const unread = failures.filter(({ file }) => !absent.has(file));
    stopIfHalfRead({ unread: unread.length, pages: urls.length - absent.size, reason: unread[0]?.message });
    if (urls.length > 0 && vanished.length === urls.length && visit.gone !== undefined) throw visit.gone;
    const parts = volatileParts(comparison.pages.values(), recorder.look);
    const notes = urls.length === 0 ? ['The filters leave no page to read.'] : notesOf(failures);
    return {
      ...(fallback !== undefined && { fallback }),
      // With several pages, no hub reports all of them.
      ...(urls.length === 1 && ear.hubs !== undefined && { hubs: ear.hubs }),
      pages: urls.filter((url) => comparison.pages.has(url)).length + missing.length,
      unread: failures.length,
      ...rulesRead(chosen),
      ...parts,
      notes: shortNotes([
        ...missingNotes(missing),
        ...volatileNotes(parts),
        ...unmatchedNotes(visit.unmatched),
        ...notes,
      ]),
    };
  } finally {
    await recorder.saveNew();
  }
}

/** Throws if no page could be read, or too many vanished to be believed. */
function believed(visit: PagesVisit, urls: readonly string[], { id, allowDeletes }: Belief): PagesComparison {
  const words = wordsFor(id);
  if (!allowDeletes) visit.distrustNotices(words);
  visit.settle();
  const comparison = visit.comparison();
  const { failures, vanished, seemingGone = [], doubted = [] } = comparison;
  if (urls.length > 0 && failures.length === urls.length && seemingGone.length + doubted.length === 0) {
    throw visit.error ?? sourceUnreadError(urls.join(', '), failures[0]?.message ?? '');
  }
  if (!allowDeletes) stopIfManyVanish(vanished, urls.length, { advice: 'Look at them in a browser', words });
  return comparison;
}

interface Belief {
  readonly id: string;
  readonly allowDeletes: boolean;
}

type PagesComparison = Pick<
  SiteComparison,
  'pages' | 'changes' | 'vanished' | 'notFound' | 'failures' | 'seemingGone' | 'doubted'
>;

interface PagesVisitOptions extends Pick<VisitPorts, 'pages' | 'signal' | 'terms'> {
  readonly onPage: PageRecorder['onPage'];
  readonly rules: SiteRules;
  readonly believesNotices: boolean;
  readonly looksAgain: boolean;
  readonly look: number;
}

/** Single pages have no site around them: each stands for itself. */
const ITSELF = { take: (url: string | URL) => String(url), publicUrl: (address: string) => address };

class PagesVisit {
  /** The error of the first page that could not be read. */
  error: TidingsError | undefined;
  /** The error of the first page that is gone. */
  gone: TidingsError | undefined;
  private readonly before: KnownPages;
  private readonly options: PagesVisitOptions;
  private readonly reader: LivePageReader;
  private readonly mirrored: LivePageReader;
  private readonly failed = new Map<string, FetchError>();
  private readonly vanished: string[] = [];

  constructor(before: KnownPages, options: PagesVisitOptions) {
    this.before = before;
    this.options = options;
    this.reader = new LivePageReader(before.pages, ITSELF, options);
    this.mirrored = new LivePageReader(before.pages, ITSELF, { ...options, isMirror: true });
  }

  /** The number of pages without anything that `only` names. */
  get unmatched(): number {
    return this.reader.unmatched + this.mirrored.unmatched;
  }

  async read(url: string): Promise<void> {
    try {
      const answer = await this.ask(url, this.validatorsOf(this.before.pages.get(url)));
      if (answer.kind === 'page') await this.take(url, answer, this.reader);
      else await this.reader.readAgain(url);
    } catch (error) {
      this.takeError(url, error);
    }
  }

  /** Reads a mirror in place of the only page, and returns its index; undefined if none was needed or none could be read. */
  async readInstead([url, ...others]: readonly string[], mirrors: readonly string[]): Promise<number | undefined> {
    const error = url === undefined ? undefined : this.failed.get(url);
    // A page whose host says that it is missing has been answered.
    if (url === undefined || others.length > 0 || error === undefined || error instanceof PageGoneError)
      return undefined;
    for (const [index, mirror] of mirrors.entries()) {
      try {
        const answer = await this.ask(mirror);
        await this.take(url, asPage(answer), this.mirrored);
        this.failed.delete(url);
        return index;
      } catch (thrown) {
        this.ensurePassing(thrown);
      }
    }
    return undefined;
  }

  /** Pages that are missing and were not known, or were known to be gone. */
  absent(): ReadonlySet<string> {
    return new Set([...this.failed].filter(([url, error]) => isGone(url, error)).map(([url]) => url));
  }

  distrustNotices(words: SafetyWords): void {
    this.reader.distrustNotices(words);
  }

  settle(): void {
    this.reader.settleVolatile();
    this.mirrored.settleVolatile();
    this.reader.settleTerms();
  }

  comparison(): PagesComparison {
    const pages = new Map([...this.before.pages, ...this.reader.records, ...this.mirrored.records]);
    for (const url of this.vanished) pages.delete(url);
    const deletions = this.vanished.map((url) => ({ action: 'delete' as const, url }));
    const failed = Array.from(this.failed, ([file, { message }]) => ({ file, message }));
    return {
      pages,
      changes: [...this.reader.changes, ...this.mirrored.changes, ...deletions],
      vanished: this.vanished,
      notFound: this.vanished,
      failures: [...failed, ...this.reader.failures.filter(({ file }) => !this.failed.has(file))],
      seemingGone: this.reader.seemingGone,
      doubted: this.reader.doubted,
    };
  }

  private async ask(url: string, validators: Validators = {}): Promise<LivePage | NotModified> {
    const { pages, signal } = this.options;
    const answer = await pages.read({ url: new URL(url), validators, signal, maxWaitMs: MAX_WAIT_MS });
    if (answer.kind === 'page') ensurePage(url, answer);
    return answer;
  }

  private validatorsOf(record: PageRecord | undefined): Validators {
    if (record === undefined || !this.reader.mayBeSame(record)) return {};
    const { etag, lastModified } = decodePageVisit(record);
    return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
  }

  private async take(address: string, page: LivePage, reader: LivePageReader): Promise<void> {
    await reader.read({ address, page, foundBy: undefined, trail: undefined });
    const [failure] = reader.failures.splice(0);
    if (failure !== undefined) throw new NotAPageError(page.url, failure.message);
  }

  private takeError(url: string, thrown: unknown): void {
    const error = this.ensurePassing(thrown);
    if (this.before.pages.has(url) && isGone(url, error)) {
      this.gone ??= error;
      this.vanished.push(url);
      return;
    }
    this.error ??= error;
    this.failed.set(url, error);
  }

  private ensurePassing(error: unknown): FetchError {
    this.options.signal.throwIfAborted();
    if (error instanceof FetchError) return error;
    throw error;
  }
}

/** Fragments name parts of a page. */
function addressOf(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}

/** The end of a redirect to another host says nothing about this page. */
function isGone(url: string, error: FetchError): boolean {
  return error instanceof PageGoneError && !error.isForNow && error.url.host === new URL(url).host;
}

const PASSWORD_FIELD = /<input\b[^>]{0,500}\btype\s*=\s*["']?password\b/i;

/** Throws a {@link NotAPageError} for anything that is not itself an HTML page: a text, a redirect in disguise, a login in its place. */
export function ensurePage(url: string, { mediaType, text, url: found }: LivePage): void {
  if (mediaType !== 'text/html' && mediaType !== 'application/xhtml+xml') {
    throw new NotAPageError(found, `it is ${mediaType}, not HTML.`, mediaType);
  }
  const target = redirectTarget(text, found.href);
  if (target !== undefined && target !== found.href) throw new NotAPageError(found, `it leads to ${target} at once.`);
  if (found.href !== url && PASSWORD_FIELD.test(text))
    throw new NotAPageError(new URL(url), 'it leads to a login now.');
}

function asPage(answer: LivePage | NotModified): LivePage {
  if (answer.kind === 'page') return answer;
  throw new NotAPageError(answer.url, 'it answered 304 to a request without conditions.');
}
