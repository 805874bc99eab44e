import { CARD_PATH } from '../../../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { isPast } from '../../../surface/resolve-url.ts';
import { type Fetched, fetchDocument } from './fetch-document.ts';
import type { Visit } from './visit.ts';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Compares the snapshot with the feed and reports endpoints that the snapshot lacks (agent-feed §47). Nothing of the snapshot is
 * used: the feed counts (AF-SN6). A snapshot that cannot be read says nothing. Returns until when the snapshot must not be
 * requested; a pause for the feed itself is separate.
 */
export async function compareSnapshot(visit: Visit, endpoints: readonly EndpointRecord[]): Promise<number | undefined> {
  const { nowMs, memory, feedUrl, telling } = visit;
  const { cardPausedUntilMs = 0 } = memory.poll;
  if (nowMs < cardPausedUntilMs) return cardPausedUntilMs;
  const announced = endpoints.flatMap(({ endpointId, url, deprecation }) =>
    url === undefined || (deprecation !== undefined && isPast(deprecation.sunset, nowMs)) ? [] : [{ endpointId, url }],
  );
  if (announced.length === 0) return undefined;
  const card = await fetchCard(visit);
  if (card.is === 'unfetched') return card.pausedUntilMs;
  const named = card.is === 'document' && card.text !== undefined ? placesIn(card.text, feedUrl) : undefined;
  if (named === undefined) return undefined;
  const missing = announced.filter(({ url }) => !named.has(placeOf(url, feedUrl)));
  if (missing.length > 0) {
    telling.tell({ event: 'snapshot-feed-disagreement', origin: feedUrl.origin, endpoints: missing.slice(0, 20) });
  }
  return undefined;
}

async function fetchCard({ http, feedUrl, nowMs, signal }: Visit): Promise<Fetched> {
  const url = new URL(CARD_PATH, feedUrl);
  try {
    return await fetchDocument({
      http,
      url,
      accept: 'application/json',
      maxBodyBytes: MAX_BODY_BYTES,
      nowMs,
      signal,
    });
  } catch {
    return { is: 'unfetched', reason: 'It was stopped.' };
  }
}

/** The places that any text in a JSON document names, including member names: OpenAPI writes its paths there. */
function placesIn(json: string, feedUrl: URL): ReadonlySet<string> | undefined {
  const places = new Set<string>();
  try {
    const open: unknown[] = [JSON.parse(json)];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (typeof value === 'string') places.add(placeOf(value, feedUrl));
      if (typeof value !== 'object' || value === null) continue;
      for (const [name, member] of Object.entries(value)) {
        places.add(placeOf(name, feedUrl));
        open.push(member);
      }
    }
    return places;
  } catch {
    return undefined;
  }
}

/** One form for all ways to write a URL: absolute or as a path of the origin, with or without a slash at its end. */
function placeOf(text: string, { origin }: URL): string {
  const base = text.startsWith('/') ? origin : undefined;
  return (canParseUrl(text, base) ? new URL(text, base).href : text).replace(/\/$/, '');
}
