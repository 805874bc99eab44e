import type { Result } from '../primitives/result.ts';
import { MAX_BYTES, MAX_ENTRIES } from './encode.ts';
import { DocumentFlaw, LIMIT, written } from './issue.ts';
import { SITEMAP_NAMESPACE } from './wire.ts';
import { endText, entryText } from './write-xml.ts';

export interface WrittenSitemapEntry {
  readonly loc: string;
  /** Milliseconds since 1970. */
  readonly lastmod?: number | undefined;
}

/**
 * A plain sitemap, or an index of sitemaps: https://www.sitemaps.org/protocol.html. Refuses what that does not allow.
 *
 * @example
 * const xml = encodeSitemap([{ loc: 'https://example.com/', lastmod: Date.UTC(2022, 10, 6) }]);
 */
export function encodeSitemap(entries: readonly WrittenSitemapEntry[], isIndex = false): Result<string> {
  return written(() => {
    if (entries.length > MAX_ENTRIES) throw new DocumentFlaw(LIMIT, `It has more than ${MAX_ENTRIES} entries.`);
    const texts = entries.map(({ loc, lastmod }) =>
      entryText({ loc, ...(lastmod !== undefined && { lastmod }), md: {}, links: [] }, isIndex),
    );
    const root = isIndex ? 'sitemapindex' : 'urlset';
    const head = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${SITEMAP_NAMESPACE}">\n`;
    const text = `${head}${texts.join('')}${endText(isIndex)}`;
    const bytes = text.length * 3 <= MAX_BYTES ? 0 : new TextEncoder().encode(text).length;
    if (bytes > MAX_BYTES) throw new DocumentFlaw(LIMIT, `It is ${bytes} bytes large, over ${MAX_BYTES}.`);
    return text;
  });
}
