import { resolveCharacters } from '../../../codecs/atom/html-entities.ts';
import { httpUrl } from '../../../codecs/atom/http-url.ts';

/** The head of a page is not longer than this. */
const MAX_CHARACTERS = 200_000;
const LINK = /<link\s[^>]{1,2000}>/gi;
const FEED_TYPE = /\stype\s*=\s*["']?application\/(?:atom\+xml|rss\+xml|feed\+json)/i;
const ALTERNATE = /\srel\s*=\s*(?:["'][^"'>]*\balternate\b|alternate\b)/i;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** The feed that an HTML page names, if a feed was expected at its address. */
export function feedNamedBy(html: string, base: string): string | undefined {
  for (const [link] of html.slice(0, MAX_CHARACTERS).matchAll(LINK)) {
    if (!FEED_TYPE.test(link) || !ALTERNATE.test(link)) continue;
    const [, double, single, bare] = HREF.exec(link) ?? [];
    const url = httpUrl(resolveCharacters(double ?? single ?? bare ?? ''), base);
    if (url !== undefined) return url;
  }
  return undefined;
}
