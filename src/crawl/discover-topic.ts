import { decodeWebFeed } from '../codecs/atom/decode-feed.ts';
import { WEB_FEED_LIMITS } from '../codecs/atom/decoded-feed.ts';
import { decodeXmlBytes } from '../codecs/primitives/xml-bytes.ts';
import { PageStatusError } from '../errors/crawl-error.ts';
import type { HttpClient, HttpResponse } from '../fetch/http-client.ts';
import { type HubLinks, namedHubs } from '../fetch/named-hubs.ts';
import { readBytes } from '../fetch/read-text.ts';
import { charset, mediaType } from '../fetch/response-headers.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import { hubLinksIn } from './page-hubs.ts';

const MAX_BYTES = WEB_FEED_LIMITS.maxCharacters;
const DEADLINE_MS = 20_000;
const NONE: HubLinks = { hubs: [], self: undefined };

/**
 * The hubs that a topic names (WebSub, 4): in the headers of its final response, otherwise in the links of a feed or in the head of a page.
 *
 * Throws a {@link PageStatusError} if it does not exist, and whatever the HTTP client throws.
 */
export async function discoverTopic(address: string, http: HttpClient, signal: AbortSignal): Promise<NamedHubs> {
  const response = await http.get({ url: new URL(address), maxBodyBytes: MAX_BYTES, deadlineMs: DEADLINE_MS, signal });
  if (response.status !== 200) {
    await response.discard();
    throw new PageStatusError(response.url, response.status);
  }
  const inHeader = namedHubs(address, response, undefined);
  if (inHeader !== undefined) {
    await response.discard();
    return inHeader;
  }
  return namedHubs(address, response, await linksWithin(response)) ?? { at: address, hubs: [] };
}

async function linksWithin(response: HttpResponse): Promise<HubLinks> {
  const { url, headers } = response;
  const type = mediaType(headers) ?? '';
  if (!/html|xml|json|rss|^text\/plain$|^$/.test(type)) {
    await response.discard();
    return NONE;
  }
  const text = decodeXmlBytes(await readBytes(response, { maxBytes: MAX_BYTES }), charset(headers));
  const feed = decodeWebFeed(text, { url: url.href });
  if (feed.ok) return { hubs: feed.value.hubUrls, self: feed.value.selfUrl };
  return /html/.test(type) ? hubLinksIn(text, url.href) : NONE;
}
