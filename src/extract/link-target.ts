/** Query parameters that say who clicks or which build it is, not what is linked. */
const NOISE_PARAMETER =
  /^(?:utm_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|igshid|mc_cid|mc_eid|_ga|_gl|ref_src|spm|scid|ver|ts|_|cb|cachebuster|cache|rnd|rand|hash|nonce|token|.*csrf.*|.*xsrf.*|authenticity_token|sid|.*session.*|phpsessid|jsessionid|aspsessionid.*|cfid|cftoken)$/i;

/** What a build puts into the name of an image: at least six hex digits with a letter and a figure among them. */
const IMAGE_HASH =
  /[-.](?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,64}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8})(?=\.(?:png|jpe?g|gif|svg|webp|avif)$)/;

const SHARE =
  /^https?:\/\/(?:www\.|m\.)?(?:(?:twitter|x)\.com\/(?:intent|share)|facebook\.com\/(?:sharer|share|dialog)|linkedin\.com\/(?:share|cws|sharing)|reddit\.com\/submit|news\.ycombinator\.com\/submitlink|pinterest\.[a-z.]+\/pin\/create|t\.me\/share|telegram\.me\/share|api\.whatsapp\.com\/send|wa\.me\/\?|tumblr\.com\/(?:share|widgets)|getpocket\.com\/(?:save|edit)|bsky\.app\/intent)|^mailto:\?/i;

/**
 * Where a link leads, in the form that counts for comparing: absolute, without tracking or session parameters.
 *
 * Undefined when there is nothing to compare: a place on the same page, a script, or an address that a proxy masks
 * anew on every request.
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

/** An absolute URL that parsing would not alter; most links are such, and parsing is dear. */
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

function withoutNoise(target: string): string {
  let url: URL;
  try {
    url = new URL(target);
  } catch {
    return target;
  }
  url.pathname = url.pathname.replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, '');
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isNoise(pair));
  url.search = kept.length === 0 ? '' : `?${kept.join('&')}`;
  return url.href;
}

function isNoise(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2);
  // A video is named by `v` too; its name mixes cases, a version does not.
  if (name === 'v') return !(/[a-z]/.test(value) && /[A-Z]/.test(value));
  // "90" or "1m30s" is a place in a video; a time of day counts in more figures.
  if (name === 't') return !/^(?:\d{1,5}s?|(?=\d)(?:\d{1,2}h)?(?:\d{1,3}m)?(?:\d{1,2}s)?)$/.test(value);
  return NOISE_PARAMETER.test(name);
}
