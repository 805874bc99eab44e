import { hash } from 'node:crypto';
import {
  AIDOCUMENT_VERSION,
  type AIDocument,
  type CacheInfo,
  type FreshnessPolicy,
  type RenderMode,
} from '../codecs/aidocument/wire.ts';
import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import { AccessDeniedError, EmptyPageError, PageGoneError } from '../errors/crawl-error.ts';
import { readRuledPage } from '../extract/document/read-page.ts';
import { readTextPage } from '../extract/document/read-text-page.ts';
import { NO_RULES, type ReadingRules } from '../extract/rules/reading-rules.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import { validatorsOf } from '../fetch/response-headers.ts';
import type { DocumentCache, DocumentKey, Redirect, Snapshot } from './document-cache.ts';
import { cachingHeaders, freshUntilMs, mayStore, SHORTEST_GUESS_MS, variesBy } from './freshness.ts';
import type { LivePage, LivePages, NotModified } from './live-page.ts';
import { renderOrFallBack } from './render-page.ts';
import type { Renderer } from './renderer.ts';
import type { SiteTerms } from './site-terms.ts';
import type { UsageTerms } from './usage-terms.ts';

export interface CachedDocumentRequest {
  readonly url: URL;
  /** Ask the origin even if a fresh copy is stored. */
  readonly refresh: boolean;
  readonly timeoutMs: number;
  /** How long to wait for a turn at the host. */
  readonly maxWaitMs?: number;
  readonly signal: AbortSignal;
}

export interface DocumentParts {
  readonly pages: LivePages;
  readonly cache: DocumentCache;
  /** Runs the page's scripts first. */
  readonly renderer?: Renderer | undefined;
  /** Which parts of pages to read. Absent: all. */
  readonly rules?: ReadingRules | undefined;
  /** Reads what is said about the use of pages. Absent: it is not read, and documents do not mention it. */
  readonly terms?: Pick<SiteTerms, 'read' | 'renew'> | undefined;
  /** The User-Agent of the requests. */
  readonly userAgent: string;
  readonly now: () => number;
  /** Called with one line for a person about what went less well than requested. */
  readonly onDiagnostic: (message: string) => void;
}

const ADVICE: Readonly<Record<RenderMode, string>> = {
  static: 'Scripts may make it: try --render.',
  rendered: 'Its scripts did not add any.',
  static_after_render_failure: 'Scripts may make it, but they could not be run.',
};

const HIT: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };
const MISS: CacheInfo = { status: 'miss', origin_contacted: true, body_fetched: true };
const REFRESHED: CacheInfo = { status: 'refreshed', origin_contacted: true, body_fetched: true };
const REVALIDATED: CacheInfo = { status: 'stale_revalidated', origin_contacted: true, body_fetched: false };

/**
 * The page at a URL as a document, from the cache if that is fresh.
 *
 * Throws if the origin was asked and gave no page, whatever the cache holds: an old copy is never returned as if the origin had confirmed it
 * (T-AWI-3). It stays in the cache, unless the origin says that the page is gone or not public.
 */
export async function readCachedDocument(request: CachedDocumentRequest, parts: DocumentParts): Promise<AIDocument> {
  const { cache, now } = parts;
  const key: DocumentKey = { url: withoutFragment(request.url.href), variant: parts.renderer ? 'rendered' : 'static' };
  const policy = request.refresh ? 'force_refresh' : 'cache_first';
  const startedAtMs = now();
  const kept = await findUsable(key, parts);
  if (kept !== undefined && !request.refresh && isFresh(kept, startedAtMs)) return perCall(kept.document, policy, HIT);

  const answer = await ask({ ...request, url: new URL(key.url) }, parts, kept).catch((error: unknown) =>
    forgetIfGone(error, cache, key),
  );
  if (answer.kind === 'not-modified') {
    const usage = await renewedUsage(answer.kept, request, parts);
    await renew(key, { ...answer, usage }, parts);
    return perCall({ ...answer.kept.document, ...usage }, policy, REVALIDATED);
  }
  const { text, renderMode } = await bodyText(answer.page, request, parts, startedAtMs);
  const read = documentOf(answer.page, text, { renderMode, rules: parts.rules });
  const document = { ...read, ...usageOf(await parts.terms?.read(answer.page, request.signal)) };
  await keep(key, answer.page, document, parts);
  return perCall(document, policy, request.refresh ? REFRESHED : MISS);
}

async function findUsable(key: DocumentKey, parts: DocumentParts): Promise<Snapshot | undefined> {
  const kept = await parts.cache.find(key);
  return kept !== undefined && kept.reader === readerOf(kept.caching, parts) ? kept : undefined;
}

/** A copy that was read by other rules, or sent to another User-Agent, would not compare with one that is read now. */
function readerOf(
  headers: HttpHeaders,
  { userAgent, rules = NO_RULES }: Pick<DocumentParts, 'userAgent' | 'rules'>,
): string {
  const reader = `${rules.extractor}/${AIDOCUMENT_VERSION}`;
  return variesBy('user-agent', headers) ? `${reader}/${hash('sha256', userAgent, 'hex').slice(0, 16)}` : reader;
}

/** A copy from the future was stored under a wrong clock. */
function isFresh({ fetchedAtMs, freshUntilMs }: Snapshot, nowMs: number): boolean {
  return fetchedAtMs <= nowMs && nowMs < freshUntilMs;
}

/** Sets the two fields of a document that belong to the call, not to the snapshot (T-AWI-4). */
function perCall(document: AIDocument, policy: FreshnessPolicy, cache: CacheInfo): AIDocument {
  return { ...document, source: { ...document.source, freshness_policy: policy }, cache };
}

type Answer =
  | { readonly kind: 'page'; readonly page: LivePage }
  | { readonly kind: 'not-modified'; readonly notModified: NotModified; readonly kept: Snapshot };

async function ask(request: CachedDocumentRequest, { pages }: DocumentParts, kept?: Snapshot): Promise<Answer> {
  const { url, timeoutMs: deadlineMs, signal, maxWaitMs } = request;
  const limits = { url, deadlineMs, signal, ...(maxWaitMs !== undefined && { maxWaitMs }) };
  const answer = await pages.read({ ...limits, ...(kept !== undefined && { validators: kept.validators }) });
  if (answer.kind === 'page') return { kind: 'page', page: answer };
  if (kept !== undefined && answer.url.href === kept.document.source.url) {
    return { kind: 'not-modified', notModified: answer, kept };
  }
  // The URL now leads elsewhere, so "not modified" there does not apply to the stored copy.
  const page = await pages.read(limits);
  if (page.kind !== 'page') throw new Error('A 304 to a request without validators is no answer of LivePages.');
  return { kind: 'page', page };
}

type Usage = Pick<AIDocument, 'usage'>;

function usageOf(terms: UsageTerms | undefined): Usage {
  return terms === undefined ? {} : { usage: { uses: terms.uses, statements: terms.signals } };
}

/** What the page itself said stays; what its site says is read again. If that fails, everything stays. */
async function renewedUsage(
  { document }: Snapshot,
  { signal }: CachedDocumentRequest,
  { terms }: DocumentParts,
): Promise<Usage> {
  const { usage, source } = document;
  const before = usage?.statements;
  if (terms === undefined || before === undefined) return {};
  const renewed = await terms.renew(new URL(source.url), before, signal);
  return renewed.isPart ? {} : usageOf(renewed);
}

/** What the origin says is gone or not public is not returned from a cache either (AWI-SE5). */
async function forgetIfGone(error: unknown, cache: DocumentCache, key: DocumentKey): Promise<never> {
  if (error instanceof PageGoneError || error instanceof AccessDeniedError) {
    await cache.forget(key);
    await cache.forget({ ...key, url: error.url.href });
  }
  throw error;
}

/** RFC 9111 §4.3.4: what the 304 says replaces the stored values; the others stay. */
async function renew(
  key: DocumentKey,
  { notModified, kept, usage }: Answer & { kind: 'not-modified' } & { readonly usage: Usage },
  parts: DocumentParts,
): Promise<void> {
  const { cache } = parts;
  const { headers, fetchedAtMs: nowMs } = notModified;
  const caching = { ...kept.caching, ...cachingHeaders(headers) };
  if (!mayStore(caching)) {
    await cache.forget(key);
    await cache.forget({ ...key, url: kept.document.source.url });
    return;
  }
  const untilMs = freshUntilMs({ ...headers, ...caching }, nowMs);
  const validators = { ...kept.validators, ...validatorsOf(headers) };
  const from = redirectOf(key, kept.document, { untilMs, nowMs });
  const reader = readerOf(caching, parts);
  const renewed = { ...kept, freshUntilMs: untilMs, validators, caching, reader };
  const isOther = usage.usage !== undefined && JSON.stringify(usage.usage) !== JSON.stringify(kept.document.usage);
  if (isOther) await cache.keep({ ...renewed, document: { ...kept.document, ...usage } }, from);
  else await cache.renew(renewed, from);
}

interface PageText {
  readonly text: string;
  readonly renderMode: RenderMode;
}

/** The renderer gets the remaining time. */
async function bodyText(
  page: LivePage,
  { timeoutMs, signal }: CachedDocumentRequest,
  { renderer, now, onDiagnostic }: DocumentParts,
  startedAtMs: number,
): Promise<PageText> {
  if (renderer === undefined) return { text: page.text, renderMode: 'static' };
  const deadlineMs = Math.max(1, startedAtMs + timeoutMs - now());
  const { text, renderMode, reason } = await renderOrFallBack(renderer, page, { deadlineMs, signal });
  if (reason !== undefined) onDiagnostic(reason);
  return { text, renderMode };
}

function documentOf(
  page: LivePage,
  text: string,
  { renderMode, rules = NO_RULES }: { readonly renderMode: RenderMode; readonly rules: ReadingRules | undefined },
): AIDocument {
  const { url, status, mediaType, fetchedAtMs } = page;
  const facts = { fetchedAt: new Date(fetchedAtMs), statusCode: status, renderMode };
  const document =
    mediaType === 'text/plain' || mediaType === 'text/markdown'
      ? readTextPage(text, url.href, mediaType, facts)
      : readRuledPage(text, url.href, { ...facts, rules });
  if (document.content.markdown.trim() === '') throw new EmptyPageError(url, ADVICE[renderMode]);
  return document;
}

/** A page that could not be rendered is stored as a static one. The next call may find a working renderer. */
async function keep(
  asked: DocumentKey,
  { headers, fetchedAtMs }: LivePage,
  document: AIDocument,
  { cache, userAgent, rules }: DocumentParts,
): Promise<void> {
  const hasFailed = document.source.render_mode === 'static_after_render_failure';
  const key: DocumentKey = { ...asked, variant: hasFailed ? 'static' : asked.variant };
  if (!mayStore(headers)) {
    await cache.forget(key);
    await cache.forget({ ...key, url: document.source.url });
    return;
  }
  const untilMs = freshUntilMs(headers, fetchedAtMs);
  const source = hasFailed ? { ...document.source, render_mode: 'static' as const } : document.source;
  const snapshot: Snapshot = {
    variant: key.variant,
    document: { ...document, source },
    fetchedAtMs,
    freshUntilMs: untilMs,
    validators: validatorsOf(headers),
    caching: cachingHeaders(headers),
    reader: readerOf(headers, { userAgent, rules }),
  };
  await cache.keep(snapshot, redirectOf(key, document, { untilMs, nowMs: fetchedAtMs }));
}

/** The lifetime of the redirect itself is unknown here: a short time, and no longer than the page is fresh. */
function redirectOf(
  { url }: DocumentKey,
  { source }: AIDocument,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
): Redirect | undefined {
  if (url === source.url) return undefined;
  return { url, freshUntilMs: Math.min(untilMs, nowMs + SHORTEST_GUESS_MS) };
}
