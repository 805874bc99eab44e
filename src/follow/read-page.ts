import { AddressRefusedError, FetchAbortedError, FetchError } from '../errors/fetch-error.ts';
import { decodeHtml } from '../extract/decode-html.ts';
import { extractPage } from '../extract/extract-page.ts';
import type { HttpResponse } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { charset, mediaType, retryAfterMs } from '../fetch/response-headers.ts';
import type { Page } from '../model/page.ts';
import type { Reading } from './read/reading.ts';

export type PageOutcome =
  | { readonly kind: 'page'; readonly page: Page }
  /** The origin says that there is no such page. */
  | { readonly kind: 'gone'; readonly reason: string }
  /** Nothing was learned of the page. `asked` is false when its host has asked for a pause. */
  | { readonly kind: 'failed'; readonly reason: string; readonly asked: boolean };

export type PageReader = (url: string) => Promise<PageOutcome>;

const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const HTML_TYPES = ['text/html', 'application/xhtml+xml'];

const MAX_PAUSE_MS = 24 * 3600_000;

/**
 * Reads pages for one poll. A page that failed is not asked again in it, nor is a host that asked for a pause, and that
 * for as long as it said; of the others nothing is kept.
 */
export function createPageReader(reading: Reading): PageReader {
  const failed = new Map<string, PageOutcome>();
  const pausedNow = new Set<string>();
  return async (url) => {
    const { host } = new URL(url);
    const before = failed.get(url);
    if (before !== undefined) return before;
    const isPaused = pausedNow.has(host) || (reading.pausedHosts.get(host) ?? 0) > reading.now();
    if (isPaused) return { kind: 'failed', reason: `${host} asked for a pause`, asked: false };

    const outcome = await readPage(url, reading, (pauseMs) => {
      pausedNow.add(host);
      reading.pausedHosts.set(host, reading.now() + Math.min(pauseMs, MAX_PAUSE_MS));
    });
    if (outcome.kind !== 'page') failed.set(url, outcome);
    return outcome;
  };
}

async function readPage(url: string, reading: Reading, pauseHost: (pauseMs: number) => void): Promise<PageOutcome> {
  try {
    const response = await reading.http.get({
      url: new URL(url),
      headers: { accept: `${HTML_TYPES.join(', ')}, */*;q=0.1` },
      maxBodyBytes: MAX_PAGE_BYTES,
      signal: reading.signal,
    });
    if (response.status === 200) return await pageOf(response);

    await response.discard();
    const reason = `the page answered with status ${response.status}`;
    if (response.status === 404 || response.status === 410) return { kind: 'gone', reason };
    const pauseMs = retryAfterMs(response.headers, reading.now());
    if (response.status === 429 || pauseMs !== undefined) pauseHost(pauseMs ?? 0);
    return { kind: 'failed', reason, asked: true };
  } catch (error) {
    if (!(error instanceof FetchError) || error instanceof FetchAbortedError) throw error;
    return { kind: 'failed', reason: reasonOf(error), asked: true };
  }
}

/** The publisher names the page, so that the user is not asked to allow its address. */
function reasonOf(error: FetchError): string {
  if (!(error instanceof AddressRefusedError)) return error.message;
  return `${error.url.host} was not asked: ${error.address} is not a public address`;
}

async function pageOf(response: HttpResponse): Promise<PageOutcome> {
  const type = mediaType(response.headers);
  if (type !== undefined && !HTML_TYPES.includes(type)) {
    await response.discard();
    return { kind: 'failed', reason: `the page is ${type}, not HTML`, asked: true };
  }
  const html = decodeHtml(await readBytes(response, { maxBytes: MAX_PAGE_BYTES }), charset(response.headers));
  if (!html.ok) return { kind: 'failed', reason: `the page cannot be read: ${html.issues[0].message}`, asked: true };

  // Relative links begin where the page was found, which a redirect may have moved.
  const page = extractPage(html.value, response.url.href);
  if (page.markdown.trim() === '') return { kind: 'failed', reason: 'the page has no content', asked: true };
  return { kind: 'page', page };
}
