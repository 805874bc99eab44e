import { hash } from 'node:crypto';
import type { Result } from '../codecs/primitives/result.ts';
import { AccessDeniedError, NotAPageError, PageGoneError, PageStatusError } from '../errors/crawl-error.ts';
import type { FetchError } from '../errors/fetch-error.ts';
import { decodeHtml, decodeText } from '../extract/decode-html.ts';
import type { HttpHeaders, HttpResponse } from '../fetch/http-client.ts';
import type { PoliteClient, PoliteRequest } from '../fetch/polite-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { charset, conditionalHeaders, mediaType, type Validators } from '../fetch/response-headers.ts';

export type PageMediaType = 'text/html' | 'application/xhtml+xml' | 'text/plain' | 'text/markdown';

/** A page as one polite fetch found it: a 200 with text in it. */
export interface LivePage {
  readonly kind: 'page';
  /** Its final URL, after redirects. No fragment. */
  readonly url: URL;
  /** A temporary redirect led there: the requested page may come back. */
  readonly isForNow?: boolean;
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly mediaType: PageMediaType;
  /** Decoded as the header, the BOM or the page itself says. */
  readonly text: string;
  /** Of the bytes: `sha256`, base64url. */
  readonly bytesHash: string;
  readonly bytesLength: number;
  readonly fetchedAtMs: number;
}

export interface NotModified {
  readonly kind: 'not-modified';
  readonly url: URL;
  readonly isForNow?: boolean;
  readonly headers: HttpHeaders;
  readonly fetchedAtMs: number;
}

export interface LivePageRequest
  extends Pick<PoliteRequest, 'url' | 'deadlineMs' | 'signal' | 'maxWaitMs' | 'yields' | 'beforeHop' | 'asker'> {
  /** Of a stored copy: the result may then be {@link NotModified}. */
  readonly validators?: Validators;
}

/** Reads live pages. */
export interface LivePages {
  /**
   * Throws a specific error for everything that is not a readable page: RobotsDeniedError, HostPausedError, AccessDeniedError (401, 402, 403),
   * PageGoneError (404, 410), PageStatusError (any other status), NotAPageError (another media type, no text, not decodable), or a FetchError.
   */
  read(request: LivePageRequest): Promise<LivePage | NotModified>;
}

export interface LivePagesOptions {
  readonly client: PoliteClient;
  readonly now: () => number;
}

const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const OK = [200, 203];
const WALLS = [401, 402, 403];
const GONE = [404, 410];
/** RFC 9110 §15.4: the permanent redirects. */
const LASTING = [301, 308];

const ACCEPT = 'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, */*;q=0.1';
const READABLE: ReadonlyMap<string, PageMediaType> = new Map([
  ['text/html', 'text/html'],
  ['application/xhtml+xml', 'application/xhtml+xml'],
  ['text/plain', 'text/plain'],
  ['text/markdown', 'text/markdown'],
  ['text/x-markdown', 'text/markdown'],
]);

export function createLivePages({ client, now }: LivePagesOptions): LivePages {
  return {
    async read({ validators = {}, ...request }) {
      const response = await client.get({
        ...request,
        headers: { accept: ACCEPT, ...conditionalHeaders(validators) },
        maxBodyBytes: MAX_PAGE_BYTES,
      });
      const { url, redirects = [], status, headers } = response;
      const isForNow = redirects.some((each) => !LASTING.includes(each));
      const isConditional = validators.etag !== undefined || validators.lastModified !== undefined;
      if (status === 304 && isConditional) {
        await response.discard();
        return { kind: 'not-modified', url, isForNow, headers, fetchedAtMs: now() };
      }
      if (!OK.includes(status)) {
        await response.discard();
        throw refusalOf(url, status, isForNow);
      }
      return { kind: 'page', url, isForNow, status, headers, ...(await pageText(response)), fetchedAtMs: now() };
    },
  };
}

function refusalOf(url: URL, status: number, isForNow: boolean): FetchError {
  if (WALLS.includes(status)) return new AccessDeniedError(url, status);
  if (GONE.includes(status)) return new PageGoneError(url, status, { isForNow });
  return new PageStatusError(url, status);
}

async function pageText(
  response: HttpResponse,
): Promise<Pick<LivePage, 'mediaType' | 'text' | 'bytesHash' | 'bytesLength'>> {
  const named = mediaType(response.headers);
  const type = named === undefined ? 'text/html' : READABLE.get(named);
  if (type === undefined) {
    await response.discard();
    throw new NotAPageError(response.url, `it is ${named}, not HTML or text.`, named);
  }
  const bytes = await readBytes(response, { maxBytes: MAX_PAGE_BYTES });
  const text = decodeAs(type, bytes, charset(response.headers));
  if (!text.ok) throw new NotAPageError(response.url, text.issues[0].message, named);
  const bytesHash = hash('sha256', bytes, 'base64url');
  return { mediaType: type, text: text.value, bytesHash, bytesLength: bytes.length };
}

function decodeAs(type: PageMediaType, bytes: Uint8Array, charsetHint: string | undefined): Result<string> {
  return type === 'text/plain' || type === 'text/markdown'
    ? decodeText(bytes, charsetHint)
    : decodeHtml(bytes, charsetHint);
}
