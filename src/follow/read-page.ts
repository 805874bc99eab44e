import { FetchAbortedError, FetchError } from '../errors/fetch-error.ts';
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

/**
 * Reads pages for one poll. A page that failed is not asked again in it, nor is a host that asked for a pause;
 * of the others nothing is kept.
 */
export function createPageReader(reading: Reading): PageReader {
  const failed = new Map<string, PageOutcome>();
  const paused = new Map<string, string>();
  return async (url) => {
    const { host } = new URL(url);
    const before = failed.get(url);
    if (before !== undefined) return before;
    const pause = paused.get(host);
    if (pause !== undefined) return { kind: 'failed', reason: pause, asked: false };

    const outcome = await readPage(url, reading, () => paused.set(host, `${host} asked for a pause`));
    if (outcome.kind !== 'page') failed.set(url, outcome);
    return outcome;
  };
}

async function readPage(url: string, reading: Reading, pauseHost: () => void): Promise<PageOutcome> {
  try {
    const response = await reading.http.get({
      url: new URL(url),
      headers: { accept: `${HTML_TYPES.join(', ')}, */*;q=0.1` },
      maxBodyBytes: MAX_PAGE_BYTES,
      signal: reading.signal,
    });
    if (response.status === 200) return await pageOf(url, response);

    await response.discard();
    const reason = `the page answered with status ${response.status}`;
    if (response.status === 404 || response.status === 410) return { kind: 'gone', reason };
    if (response.status === 429 || retryAfterMs(response.headers, reading.now()) !== undefined) pauseHost();
    return { kind: 'failed', reason, asked: true };
  } catch (error) {
    if (!(error instanceof FetchError) || error instanceof FetchAbortedError) throw error;
    return { kind: 'failed', reason: error.message, asked: true };
  }
}

async function pageOf(url: string, response: HttpResponse): Promise<PageOutcome> {
  const type = mediaType(response.headers);
  if (type !== undefined && !HTML_TYPES.includes(type)) {
    await response.discard();
    return { kind: 'failed', reason: `the page is ${type}, not HTML`, asked: true };
  }
  const html = decodeHtml(await readBytes(response, { maxBytes: MAX_PAGE_BYTES }), charset(response.headers));
  if (!html.ok) return { kind: 'failed', reason: `the page cannot be read: ${html.issues[0].message}`, asked: true };

  const page = extractPage(html.value, url);
  if (page.markdown.trim() === '') return { kind: 'failed', reason: 'the page has no content', asked: true };
  return { kind: 'page', page };
}
