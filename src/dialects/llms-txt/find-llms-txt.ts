import { readBodyText } from '../../fetch/read-text.ts';
import type { Sighting } from '../dialect.ts';

const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Looks at the path of the site, then at the root of its host. A page that a host returns for any path does not count: it has no
 * Markdown heading.
 */
export const findLlmsTxt: Sighting = async (site, { http, signal }) => {
  const places = [new URL('llms.txt', site), new URL('/llms.txt', site)];
  for (const url of new Map(places.map((place) => [place.href, place])).values()) {
    const response = await http.get({ url, maxBodyBytes: MAX_BYTES, signal });
    if (response.status !== 200) {
      await response.discard();
      continue;
    }
    const text = await readBodyText(response, { maxBytes: MAX_BYTES });
    const [, title] = /^\s*# +(\S.*)$/m.exec(text.slice(0, 2000)) ?? [];
    if (title === undefined || /^\s*</.test(text)) continue;
    const links = text.match(/^- *\[/gm)?.length ?? 0;
    return { url: url.href, words: `an llms.txt of ${JSON.stringify(title.trim().slice(0, 200))} with ${links} links` };
  }
  return undefined;
};
