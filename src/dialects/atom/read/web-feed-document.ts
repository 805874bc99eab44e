import { decodeWebFeed } from '../../../codecs/atom/decode-feed.ts';
import { type DecodedWebFeed, WEB_FEED_LIMITS } from '../../../codecs/atom/decoded-feed.ts';
import { sitemapText } from '../../../codecs/sitemap/sitemap-text.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { HttpClient, HttpResponse } from '../../../fetch/http-client.ts';
import { readBytes } from '../../../fetch/read-text.ts';
import {
  charset,
  conditionalHeaders,
  maxAgeMs,
  retryAfterMs,
  type Validators,
  validatorsOf,
} from '../../../fetch/response-headers.ts';
import { namedFeed } from './web-feed-hint.ts';

export interface WebFeedPorts {
  readonly http: HttpClient;
  /** Decompresses, and fails on more than `maxBytes`. */
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface WebFeedDocument {
  /** Where it was found, after redirects. */
  readonly url: URL;
  readonly feed: DecodedWebFeed;
  readonly validators: Validators;
  readonly freshMs: number | undefined;
  /** Whether every redirect on the way says that it is for good. */
  readonly hasMoved: boolean;
}

const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';
/** The codec counts characters, of which most have no more bytes. */
const MAX_BYTES = 2 * WEB_FEED_LIMITS.maxCharacters;
const DEADLINE_MS = 60_000;
const LONGEST_PAUSE_MS = 24 * 3600_000;
const FOR_GOOD = [301, 308];
const GONE = 410;

/** Throws a {@link FeedUnreadableError} for what is no feed. */
export async function getWebFeed(
  url: URL,
  validators: Validators,
  ports: WebFeedPorts,
): Promise<WebFeedDocument | { readonly freshMs: number | undefined }> {
  const response = await ports.http.get({
    url,
    headers: { accept: ACCEPT, ...conditionalHeaders(validators) },
    maxBodyBytes: MAX_BYTES,
    deadlineMs: DEADLINE_MS,
    signal: ports.signal,
  });
  const freshMs = maxAgeMs(response.headers);
  if (response.status === 304 && Object.keys(validators).length > 0) {
    await response.discard();
    return { freshMs };
  }
  if (response.status !== 200) throw await refusalOf(response, url, ports);
  const text = await textOf(response, ports);
  const decoded = decodeWebFeed(text, { url: response.url.href });
  if (!decoded.ok) {
    const feed = namedFeed(text, response.url.href);
    const advice = feed === undefined ? '' : ` The page names the feed ${feed}: give that address.`;
    throw new FeedUnreadableError(url.href, `is no feed: ${decoded.issues[0].message}${advice}`);
  }
  const { redirects = [] } = response;
  const { ttlMinutes = 0 } = decoded.value;
  return {
    url: response.url,
    feed: decoded.value,
    validators: validatorsOf(response.headers),
    freshMs: Math.max(freshMs ?? 0, ttlMinutes * 60_000) || undefined,
    hasMoved: redirects.length > 0 && redirects.every((status) => FOR_GOOD.includes(status)),
  };
}

async function refusalOf(response: HttpResponse, { href }: URL, { now }: WebFeedPorts): Promise<FeedUnreadableError> {
  await response.discard();
  const { status, headers } = response;
  const pauseMs = retryAfterMs(headers, now());
  const what =
    status === GONE
      ? 'is gone for good (410). Give its new address, or remove the source.'
      : `answered with status ${status}.`;
  return new FeedUnreadableError(href, what, {
    status,
    ...(pauseMs !== undefined && { retryAfterMs: Math.min(pauseMs, LONGEST_PAUSE_MS) }),
  });
}

/** A BOM counts first, then what the server says, as far as it is true, then what the document says (RFC 7303 §3). */
async function textOf(response: HttpResponse, { gunzip }: WebFeedPorts): Promise<string> {
  const sent = await readBytes(response, { maxBytes: MAX_BYTES });
  const bytes = sent[0] === 0x1f && sent[1] === 0x8b ? await unpacked(sent, response, gunzip) : sent;
  const encoding = charset(response.headers);
  if (encoding === undefined || hasMark(bytes)) return sitemapText(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return sitemapText(bytes);
  }
}

function hasMark([first, second, third]: Uint8Array): boolean {
  if (first === 0xef) return second === 0xbb && third === 0xbf;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

async function unpacked(bytes: Uint8Array, { url }: HttpResponse, gunzip: WebFeedPorts['gunzip']): Promise<Uint8Array> {
  try {
    return await gunzip(bytes, MAX_BYTES);
  } catch {
    throw new FeedUnreadableError(
      url.href,
      `is gzip data that is damaged, or unpacks to more than ${MAX_BYTES} bytes.`,
    );
  }
}
