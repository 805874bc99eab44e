import { decodeLinkHeader } from '../codecs/link-header/link-header.ts';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import type { NamedHubs } from '../model/named-hubs.ts';
import type { HttpResponse } from './http-client.ts';

/** The hubs that one place names: the headers of a response, or the links in its body. */
export interface HubLinks {
  readonly hubs: readonly string[];
  readonly self: string | undefined;
}

/** The maximum number of hubs that are read from a feed. */
const MAX_HUBS = 10;

/**
 * The hubs that a response names (WebSub, 4): in its headers, otherwise in the links of its body, never a mix of both. Undefined if it says nothing:
 * a response without a body (304) need not repeat its links.
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

/** A link about another resource says nothing about this one. */
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

/** A fragment is never sent, so two topics would become one. */
function selfOf({ self = '' }: HubLinks): Pick<NamedHubs, 'self'> {
  return isWebAddress(self) ? { self: withoutFragment(self) } : {};
}

function isWebAddress(url: string): boolean {
  return canParseUrl(url) && /^https?:$/.test(new URL(url).protocol);
}
