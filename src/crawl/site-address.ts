import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { percentDecoded } from '../codecs/primitives/percent-decoded.ts';
import { siteRefusedError } from '../errors/refusals.ts';

/** Host names of builds that are not published yet. Followers must never see them. */
const PREVIEW_HOSTS: readonly RegExp[] = [
  /(^|\.)localhost$/,
  /\.(local|localdomain|internal)$/,
  /^\[/,
  /^\d+(\.\d+){3}$/,
  /--[^.]+\.netlify\.app$/,
  /^[^.]+\.[^.]+\.pages\.dev$/,
  /-git-[^.]+\.vercel\.app$/,
  /-[a-z0-9]{9}(-[^.]+)?\.vercel\.app$/,
  /\.(ngrok\.io|ngrok-free\.app|trycloudflare\.com|loca\.lt|gitpod\.io|github\.dev|app\.github\.dev|preview\.app)$/,
  /(^|[.-])(preview|staging)([.-])/,
];

/**
 * The base URL of a site, always with a final slash.
 *
 * Plain http and preview hosts are refused unless forced: what is published under a wrong URL stays in an append-only feed.
 */
export function siteAddress(text: string, { force = false }: { readonly force?: boolean } = {}): URL {
  const site = parseUrl(text);
  if (site === undefined)
    throw siteRefusedError(text, 'it is not an absolute URL. Give one like https://docs.example/');
  if (site.protocol !== 'https:' && site.protocol !== 'http:') {
    throw siteRefusedError(text, `"${site.protocol}" is not a web address. Give one that starts with https://`);
  }
  if (site.username !== '' || site.password !== '') {
    throw siteRefusedError(text, 'it carries a user name or password, which would be published. Leave them out.');
  }
  if (site.search !== '' || site.hash !== '' || /[?#]/.test(text)) {
    throw siteRefusedError(text, 'it has a query or a fragment; pages cannot be addressed below it. Leave them out.');
  }
  if (site.protocol === 'http:' && !force) {
    throw siteRefusedError(
      text,
      'it is plain http, which anybody on the way can alter. Use https, or --force if you mean it.',
    );
  }
  if (!force && PREVIEW_HOSTS.some((pattern) => pattern.test(site.hostname))) {
    throw siteRefusedError(
      text,
      'it looks like a preview or local host. Give the public address, or --force if you mean it.',
    );
  }
  site.pathname = `${site.pathname}/`.replace(/\/{2,}/g, '/');
  return site;
}

/** Needs no encoding and can contain no dot segment: most paths match, and parsing each would cost more than hashing it. */
const PLAIN_PATH = /^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/;

/** How a host derives URLs from file names. */
export interface AddressForm {
  /** `x.html` is served as `/x`. */
  readonly cleanUrls?: boolean;
  /** Whether `x/index.html` is served as `/x/`, as most hosts do, or as `/x`. Default: true. */
  readonly trailingSlash?: boolean;
}

/** The URL of a built file: `x/index.html` is `/x/`, other files keep their name. */
export function pageUrl(
  site: URL,
  path: string,
  { cleanUrls = false, trailingSlash = true }: AddressForm = {},
): string {
  const folder = path.replace(/(^|\/)index\.html?$/i, '$1');
  const served = trailingSlash ? folder : folder.replace(/\/$/, '');
  const shown = cleanUrls ? served.replace(/\.html$/i, '') : served;
  if (PLAIN_PATH.test(shown)) return site.href + shown;
  return site.href + shown.split('/').map(encodeSegment).join('/');
}

/** The spellings that {@link pageUrl} omits from a URL. */
const INDEX_NAMES = ['INDEX.HTM', 'INDEX.HTML', 'Index.htm', 'Index.html', 'index.htm', 'index.html'];
const PAGE_ENDINGS = ['', '.HTML', '.html'];

/** The built files that may be served under a URL, in order of precedence. */
export function pagePaths(site: URL, url: string, options: Pick<AddressForm, 'cleanUrls'> = {}): string[] {
  if (!url.startsWith(site.href)) return [];
  const path = percentDecoded(url.slice(site.href.length));
  const endings = options.cleanUrls ? PAGE_ENDINGS : [''];
  const names = path === '' || path.endsWith('/') ? INDEX_NAMES : endings;
  return names.map((name) => path + name).filter((file) => pageUrl(site, file, options) === url);
}

/** Keeps the characters that RFC 3986 allows in a segment, as links write them; percent-encodes the rest. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(Buffer.from(segment).toString()).replace(
    /%(?:24|26|2B|2C|3B|3D|3A|40)/g,
    decodeURIComponent,
  );
}

function parseUrl(text: string): URL | undefined {
  return canParseUrl(text) ? new URL(text) : undefined;
}
