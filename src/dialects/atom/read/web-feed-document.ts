import { decodeWebFeed } from '../../../codecs/atom/decode-feed.ts';
import { type DecodedWebFeed, WEB_FEED_LIMITS } from '../../../codecs/atom/decoded-feed.ts';
import { decodeXmlBytes } from '../../../codecs/primitives/xml-bytes.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { HttpResponse } from '../../../fetch/http-client.ts';
import { namedHubs } from '../../../fetch/named-hubs.ts';
import { readBytes } from '../../../fetch/read-text.ts';
import {
  charset,
  conditionalHeaders,
  maxAgeMs,
  type Validators,
  validatorsOf,
} from '../../../fetch/response-headers.ts';
import type { NamedHubs } from '../../../model/named-hubs.ts';
import type { ReaderPorts } from '../../reader.ts';
import { refusal } from '../../refusal.ts';
import { feedNamedBy } from './web-feed-hint.ts';

export type WebFeedPorts = Pick<ReaderPorts, 'http' | 'gunzip' | 'now' | 'signal'>;

export interface WebFeedDocument {
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly feed: DecodedWebFeed;
  readonly validators: Validators;
  readonly freshMs: number | undefined;
  readonly hubs: NamedHubs | undefined;
  /** Whether every redirect on the way is permanent. */
  readonly hasMoved: boolean;
}

const ACCEPT = 'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';
/** The codec counts characters, and most take no more bytes than this. */
const MAX_BYTES = 2 * WEB_FEED_LIMITS.maxCharacters;
const DEADLINE_MS = 60_000;
const FOR_GOOD = [301, 308];
const GONE = 410;

export type WebFeedAnswer = WebFeedDocument | Pick<WebFeedDocument, 'freshMs' | 'hubs'>;

/** Something other than a feed, and the feed that it names if it is a page. */
interface NoFeed {
  readonly why: string;
  readonly names: string | undefined;
}

/** Throws a {@link FeedUnreadableError} if the document is not a feed. */
export async function getWebFeed(url: URL, validators: Validators, ports: WebFeedPorts): Promise<WebFeedAnswer> {
  const answer = await askForFeed(url, validators, ports);
  if (!('why' in answer)) return answer;
  const advice = answer.names === undefined ? '' : ` The page names the feed ${answer.names}: give that address.`;
  throw new FeedUnreadableError(url.href, `is no feed: ${answer.why}${advice}`);
}

export async function askForFeed(
  url: URL,
  validators: Validators,
  ports: WebFeedPorts,
): Promise<WebFeedAnswer | NoFeed> {
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
    return { freshMs, hubs: namedHubs(url.href, response, undefined) };
  }
  if (response.status !== 200) throw await refusalOf(response, url, ports);
  const text = await feedText(response, ports);
  const decoded = decodeWebFeed(text, { url: response.url.href });
  if (!decoded.ok) return { why: decoded.issues[0].message, names: feedNamedBy(text, response.url.href) };
  const { redirects = [] } = response;
  const { ttlMinutes = 0, hubUrls, selfUrl } = decoded.value;
  return {
    url: response.url,
    feed: decoded.value,
    validators: validatorsOf(response.headers),
    freshMs: Math.max(freshMs ?? 0, ttlMinutes * 60_000) || undefined,
    hubs: namedHubs(url.href, response, { hubs: hubUrls, self: selfUrl }),
    hasMoved: redirects.length > 0 && redirects.every((status) => FOR_GOOD.includes(status)),
  };
}

function refusalOf(response: HttpResponse, { href }: URL, ports: WebFeedPorts): Promise<FeedUnreadableError> {
  if (response.status !== GONE) return refusal(response, href, ports);
  return refusal(response, href, ports, 'is gone for good (410). Give its new address, or remove the source.');
}

async function feedText(response: HttpResponse, { gunzip }: WebFeedPorts): Promise<string> {
  const sent = await readBytes(response, { maxBytes: MAX_BYTES });
  const bytes = sent[0] === 0x1f && sent[1] === 0x8b ? await unpacked(sent, response, gunzip) : sent;
  return decodeXmlBytes(bytes, charset(response.headers));
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
