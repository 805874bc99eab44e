import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { attribute, type HtmlElement } from './html-tree.ts';
import { parseHtml } from './parse-html.ts';

/** A refresh after a longer delay is a page that reloads, not a redirect. */
const MAX_DELAY_SECONDS = 5;
const MENTIONS_REFRESH = /http-equiv\s{0,10}=\s{0,10}["']?\s{0,10}refresh/i;
const REFRESH = /^\s*(\d+)(?:\.\d*)?\s*(?:[;,]|\s)\s*(?:url\s*=\s*)?["']?\s*([^"'\s]+)/i;
/** A refresh inside these does not apply to browsers that can show the page. */
const CONDITIONAL = new Set(['noscript', 'template', 'script', 'style']);

/**
 * The target to which a page redirects at once, as static hosts write it for moved pages: such a page has no content. Undefined for other pages, and for those
 * that only reload themselves.
 */
export function redirectTarget(html: string, url: string): string | undefined {
  if (!MENTIONS_REFRESH.test(html)) return undefined;
  for (const meta of refreshes(parseHtml(html))) {
    const [, seconds, target = ''] = REFRESH.exec(attribute(meta, 'content') ?? '') ?? [];
    if (seconds === undefined || Number(seconds) > MAX_DELAY_SECONDS || !canParseUrl(target, url)) continue;
    const resolved = new URL(target, url);
    resolved.hash = '';
    if (resolved.href !== url) return resolved.href;
  }
  return undefined;
}

function* refreshes(root: HtmlElement): Generator<HtmlElement> {
  const waiting = [root];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    if (element.name === 'meta' && attribute(element, 'http-equiv')?.trim().toLowerCase() === 'refresh') yield element;
    if (CONDITIONAL.has(element.name)) continue;
    for (const child of element.children) if (typeof child !== 'string') waiting.push(child);
  }
}
