import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';

/** Which URLs belong to a site, and how each of its pages is called. */
export interface SiteScope {
  readonly base: URL;
  /**
   * The address of a page of the site, in one spelling and without a fragment; undefined for what is elsewhere.
   * What stands below the public address stands below the base too.
   */
  take(url: string | URL): string | undefined;
  /** The same page under the public address. */
  publicUrl(address: string): string;
}

/** Longer ones are made by machines for machines. */
const MAX_ADDRESS_LENGTH = 2048;

/**
 * The pages below `base`, which are called by their place below `site`. Both end in a slash.
 *
 * @example
 * const scope = createSiteScope(new URL('http://127.0.0.1:8080/docs/'), new URL('https://docs.example/'));
 * scope.publicUrl('http://127.0.0.1:8080/docs/a'); // 'https://docs.example/a'
 * scope.take('https://docs.example/a#top'); // 'http://127.0.0.1:8080/docs/a'
 */
export function createSiteScope(base: URL, site: URL): SiteScope {
  const baseRoot = base.href.slice(0, -1);
  const siteRoot = site.href.slice(0, -1);
  return {
    base,
    take(url) {
      const address = plainAddress(url, base);
      if (address === undefined) return undefined;
      if (isBelow(address, baseRoot)) return address;
      return isBelow(address, siteRoot) ? baseRoot + address.slice(siteRoot.length) : undefined;
    },
    publicUrl: (address) => siteRoot + address.slice(baseRoot.length),
  };
}

/** The root itself may lack its slash: some hosts redirect to that form. */
function isBelow(address: string, root: string): boolean {
  return address.startsWith(root) && /^(?:$|[/?])/.test(address.slice(root.length));
}

function plainAddress(text: string | URL, base: URL): string | undefined {
  if (!canParseUrl(String(text))) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  // Sites that moved to https still link to themselves by http.
  if (url.protocol === 'http:' && base.protocol === 'https:' && url.port === '') url.protocol = 'https:';
  url.hash = '';
  const href = url.href
    .replace(/[?#]+$/, '')
    .replaceAll('\\', '%5C')
    .replace(/%[0-9a-f]{2}/gi, normalEscape);
  return href.length > MAX_ADDRESS_LENGTH ? undefined : href;
}

/** RFC 3986 §6.2.2: hex digits in capitals, and no escape where none is needed. */
function normalEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}
