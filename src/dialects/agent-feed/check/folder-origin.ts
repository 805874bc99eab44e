import { type DecodedAgentFeed, FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { isFound } from '../../../codecs/primitives/seen-document.ts';
import type { SeenSurface } from './seen-surface.ts';

/**
 * The origin that a surface belongs to. For a live surface it is the origin that was asked, or the https origin it redirected to.
 *
 * A folder does not say where it is served. So the origin that most of its documents name counts, and a document that differs is at
 * fault.
 */
export function originOf(seen: SeenSurface, feed: DecodedAgentFeed | undefined, did: unknown): URL | undefined {
  const { asked } = seen;
  if (asked !== undefined) {
    const servedBy = isFound(seen.did) ? seen.did.servedBy : undefined;
    const end = new URL(servedBy ?? asked);
    const isUpgrade = asked.protocol === 'http:' && end.protocol === 'https:' && end.hostname === asked.hostname;
    // Plain http is reported separately. Everything else is checked against the https origin that readers would ask.
    return new URL(isUpgrade ? end.origin : asked.origin.replace(/^http:/, 'https:'));
  }
  const said = [
    originOfUrl(feed?.selfLink),
    feed?.id?.endsWith(FEED_PATH) ? originOfUrl(feed.id) : undefined,
    originOfDid(did),
    originOfHost(/^urn:af:([^:]+):/i.exec(feed?.entries[0]?.id ?? '')?.[1]),
  ].flatMap((origin) => origin ?? []);
  const count = (origin: string) => said.filter((each) => each === origin).length;
  const [first] = said.toSorted((left, right) => count(right) - count(left));
  return first === undefined ? undefined : new URL(first);
}

function originOfUrl(text: string | undefined): string | undefined {
  if (text === undefined || !canParseUrl(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' ? origin : undefined;
}

function originOfDid(did: unknown): string | undefined {
  const [, host] = /^did:web:([^:/?#]+)$/i.exec(typeof did === 'string' ? did : '') ?? [];
  return originOfHost(host);
}

/** `api.example%3A8443` */
function originOfHost(encoded: string | undefined): string | undefined {
  const host = encoded?.replace(/%3A/gi, ':').replace(/%5B/gi, '[').replace(/%5D/gi, ']');
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? originOfUrl(`https://${host}/`) : undefined;
}
