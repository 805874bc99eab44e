import { decodeLinkHeader } from '../codecs/link-header/link-header.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import type { HttpResponse } from './http-client.ts';

/** What one way of naming hubs says: the headers of an answer, or the links in what it holds. */
export interface HubLinks {
  readonly hubs: readonly string[];
  readonly self: string | undefined;
}

/** A feed that names more is read as far. */
const MAX_HUBS = 10;

/**
 * The hubs that an answer names (WebSub, 4): by its headers, else by the links within, and never by half of each. Undefined where that is not said:
 * an answer without a body (304) need not repeat its links.
 */
export function namedHubs(
  at: string,
  response: Pick<HttpResponse, 'url' | 'headers'>,
  inside: HubLinks | undefined,
): NamedHubs | undefined {
  const inHeader = linksInHeader(response);
  const ways = inside === undefined ? [inHeader] : [inHeader, inside];
  const whole = ways.find(({ hubs, self }) => hubs.length > 0 && self !== undefined);
  if (whole !== undefined) return { at, hubs: webAddresses(whole.hubs), ...selfOf(whole) };
  if (inside === undefined) return undefined;
  return { at, hubs: webAddresses(ways.find(({ hubs }) => hubs.length > 0)?.hubs ?? []) };
}

/** A link that is about another resource says nothing of this one. */
function linksInHeader({ url, headers }: Pick<HttpResponse, 'url' | 'headers'>): HubLinks {
  const here = withoutFragment(url.href);
  const links = decodeLinkHeader(headers.link ?? '', url.href).filter(
    ({ anchor = here }) => withoutFragment(anchor) === here,
  );
  return {
    hubs: links.filter(({ rels }) => rels.includes('hub')).map(({ target }) => target),
    self: links.find(({ rels }) => rels.includes('self'))?.target,
  };
}

function webAddresses(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.filter(isWebAddress))].slice(0, MAX_HUBS);
}

/** A fragment never goes over the wire, so that two topics would be one. */
function selfOf({ self = '' }: HubLinks): Pick<NamedHubs, 'self'> {
  return isWebAddress(self) ? { self: withoutFragment(self) } : {};
}

function isWebAddress(url: string): boolean {
  return canParseUrl(url) && /^https?:$/.test(new URL(url).protocol);
}
