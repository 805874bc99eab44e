import { encodeLlmsTxt, type LlmsLink } from '../../../codecs/llms-txt/encode.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import { twinUrl } from './twin.ts';
import type { KnownTwin } from './twin-memory.ts';

export const LIST_PATH = 'llms.txt';
/** Also tells that a publish wrote the list. */
const HOW_TO_READ =
  'Each page is also there as Markdown: its address with .md behind it, index.html.md for a folder. Tidings writes both anew when a page changes.';
const MAX_NOTE = 160;

export function isOwnList(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(`\n${HOW_TO_READ}\n`);
}

/** The pages of a site by the first part of their path, those at its root first. */
export function pageList(
  pages: readonly KnownTwin[],
  { site, title }: { site: URL; title?: string | undefined },
): string {
  const place = nameOfPlace(site);
  const home = pages.find(({ url }) => url === site.href);
  const sorted = pages.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const sections = groupBy(sorted, ({ url }) => sectionOf(url, site));
  const names = [...sections.keys()].sort((a, b) => Number(b === '') - Number(a === ''));
  return encodeLlmsTxt({
    title: title ?? place,
    summary: home?.excerpt || `The pages of ${place}.`,
    text: HOW_TO_READ,
    sections: names.map((name) => ({ name: name || 'Pages', links: (sections.get(name) ?? []).map(linkOf) })),
  });
}

function sectionOf(url: string, site: URL): string {
  const [, first = ''] = /^([^/?#]+)\//.exec(url.slice(site.href.length)) ?? [];
  try {
    return decodeURIComponent(first);
  } catch {
    return first;
  }
}

function linkOf({ url, bytes, title, excerpt }: KnownTwin): LlmsLink {
  return { title, url: bytes > 0 ? twinUrl(url) : url, note: shortened(excerpt) };
}

/** Cut at the end of a word. */
function shortened(text: string): string {
  if (text.length <= MAX_NOTE) return text;
  return `${text.slice(0, MAX_NOTE).replace(/\s+\S*$|[\uD800-\uDBFF]$/, '')} …`;
}
