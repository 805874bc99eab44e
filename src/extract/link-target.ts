/** Query parameters that track a visitor, whatever their value. */
const TRACKING_PARAMETER =
  /^(?:utm_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|ref_src|spm|scid)$/i;
/** Query parameters that a server assigns to each visit. */
const VISIT_PARAMETER =
  /^(?:nonce|.*csrf.*|.*xsrf.*|authenticity_token|sessionid|phpsessid|jsessionid|aspsessionid.*|cfid|cftoken|cachebuster)$/i;
/** Names that both authors and programs use: only the value shows which of them wrote it. */
const UNCLEAR_PARAMETER = /^(?:v|ver|version|hash|token|cache|ts|t|rnd|rand|cb|_|sid|.*session.*)$/i;
const VISIT_OR_PLACE = /^(?:sid|.*session.*)$/i;

/** A hash, a time in seconds or milliseconds, or a UUID. */
const MACHINE_VALUE = /^(?:(?=.*\d)[0-9a-f]{8,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;
const TOKEN = /^[\w.~%+/=-]{16,}$/;
/** How often a random token switches between capitals, small letters and digits. Names rarely do. */
const TOKEN_CHANGES = 4;
const CHANGE_OF_KIND = /(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g;

/** An image has one content: the query after its name is for caches. */
const IMAGE_FILE = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i;
const VIDEO_HOST = /(?:^|\.)(?:youtube|youtube-nocookie|facebook|fb)\.com$/;

/** A build hash in the name of an image: at least six hex digits, with a letter and a digit among them. */
const IMAGE_HASH =
  /[-.](?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,64}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8})(?=\.(?:png|jpe?g|gif|svg|webp|avif)$)/;

const SHARE =
  /^https?:\/\/(?:www\.|m\.)?(?:(?:twitter|x)\.com\/(?:intent|share)|facebook\.com\/(?:sharer|share|dialog)|linkedin\.com\/(?:share|cws|sharing)|reddit\.com\/submit|news\.ycombinator\.com\/submitlink|pinterest\.[a-z.]+\/pin\/create|t\.me\/share|telegram\.me\/share|api\.whatsapp\.com\/send|wa\.me\/\?|tumblr\.com\/(?:share|widgets)|getpocket\.com\/(?:save|edit)|bsky\.app\/intent)|^mailto:\?/i;

/**
 * The target of a link in the form for comparison: absolute, without parameters that track a visitor or identify a visit.
 *
 * Undefined if there is nothing to compare: a place on the same page, a script, or an address that a proxy changes on every request.
 */
export function linkTarget(href: string, pageUrl: string): string | undefined {
  const resolved = resolveLink(href, pageUrl);
  if (resolved === undefined) return undefined;
  const plain = resolved.includes('?') || resolved.includes(';') ? withoutNoise(resolved) : resolved;
  const target = plain.replace(IMAGE_HASH, '');
  return isSamePage(target, pageUrl) ? undefined : target;
}

export function resolveLink(href: string, pageUrl: string): string | undefined {
  const trimmed = href.trim();
  if (trimmed === '' || /^(?:javascript|data|blob|vbscript):/i.test(trimmed)) return undefined;
  if (trimmed.includes('/cdn-cgi/l/email-protection')) return undefined;
  if (PLAIN_URL.test(trimmed) && !trimmed.includes('/.')) return trimmed;
  try {
    return new URL(trimmed, pageUrl).href;
  } catch {
    return trimmed;
  }
}

/** An absolute URL that parsing would not change. Most links are such, and parsing is expensive. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.-]+\/[\w./#-]*$/;

export function isLocalLink(href: string, pageUrl: string): boolean {
  if (href.startsWith('#')) return true;
  if (!href.includes('#')) return false;
  const target = resolveLink(href, pageUrl);
  return target !== undefined && isSamePage(target, pageUrl);
}

export function isShareLink(href: string): boolean {
  return SHARE.test(href);
}

function isSamePage(target: string, pageUrl: string): boolean {
  return withoutFragment(target) === withoutFragment(pageUrl);
}

function withoutFragment(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? url : url.slice(0, at);
}

/** An absolute address without parameters for tracking, visits and caches. */
export function withoutNoise(target: string): string {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    return target;
  }
  url.pathname = url.pathname.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, '');
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '');
  const isTracked = pairs.some((pair) => TRACKING_PARAMETER.test(nameOf(pair)));
  const kept = pairs.filter((pair) => !isNoise(pair, url, isTracked));
  url.search = kept.length === 0 ? '' : `?${kept.join('&')}`;
  return url.href;
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

/** `isTracked`: a link made for one visit. A session in it is that of the visitor, not one of a conference. */
function isNoise(pair: string, url: URL, isTracked: boolean): boolean {
  const name = nameOf(pair);
  if (TRACKING_PARAMETER.test(name) || VISIT_PARAMETER.test(name)) return true;
  if (!UNCLEAR_PARAMETER.test(name) || (name === 'v' && isVideo(url))) return false;
  if (IMAGE_FILE.test(url.pathname)) return true;
  return (isTracked && VISIT_OR_PLACE.test(name)) || isMachineMade(pair.slice(name.length + 1));
}

function isVideo({ hostname, pathname }: URL): boolean {
  return VIDEO_HOST.test(hostname) || /^\/watch\/?$/.test(pathname);
}

function isMachineMade(value: string): boolean {
  if (MACHINE_VALUE.test(value)) return true;
  return TOKEN.test(value) && (value.match(CHANGE_OF_KIND)?.length ?? 0) >= TOKEN_CHANGES;
}
