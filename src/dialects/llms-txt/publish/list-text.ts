import { encodeLlmsTxt, type LlmsLink, type LlmsSection } from '../../../codecs/llms-txt/encode.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { nameOfPlace } from '../../../model/name-of-place.ts';
import { twinUrl } from './twin.ts';
import type { KnownTwin } from './twin-memory.ts';

export const LIST_PATH = 'llms.txt';
/** Also marks a list that a publish wrote. */
const HOW_TO_READ =
  'Each page is also there as Markdown: its address with .md behind it, index.html.md for a folder. Tidings writes both anew when a page changes.';
const MAX_NOTE = 160;

/** Whether a list may be at this path. Remembered paths are not trusted beyond this. */
export function isListPath(path: string): boolean {
  return /^(?:[^/]+\/)*llms(?:-\d+)?\.txt$/.test(path) && !/(?:^|\/)\.{1,2}\//.test(path);
}

export function isOwnList(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).includes(`\n${HOW_TO_READ}\n`);
}

/** The site that a list is about. */
export interface ListedPlace {
  readonly site: URL;
  readonly title?: string | undefined;
}

/** The pages of a site by the first part of their path, those at its root first. */
export function pageList(pages: readonly KnownTwin[], { site, title }: ListedPlace): string {
  const sorted = pages.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const sections = groupBy(sorted, ({ url }) => sectionOf(url, site));
  const names = [...sections.keys()].sort((a, b) => Number(b === '') - Number(a === ''));
  return rootList(
    names.map((name) => ({ name: name || 'Pages', links: (sections.get(name) ?? []).map(pageLink) })),
    pages,
    { site, title },
  );
}

/** The list that readers begin with. */
export function rootList(
  sections: readonly LlmsSection[],
  pages: readonly KnownTwin[],
  { site, title }: ListedPlace,
): string {
  const place = nameOfPlace(site);
  const home = pages.find(({ url }) => url === site.href);
  const summary = home?.excerpt || `The pages of ${place}.`;
  return encodeLlmsTxt({ title: title ?? place, summary, text: HOW_TO_READ, sections });
}

/** A list that another one links to, for the folder at `path`, as in URLs. */
export function folderList(sections: readonly LlmsSection[], path: string, { site, title }: ListedPlace): string {
  const name = readableName(path.replace(/\/$/, ''));
  return encodeLlmsTxt({
    title: [title ?? nameOfPlace(site), name].filter((text) => text !== '').join(': '),
    summary: `The pages below ${site.href}${path}`,
    text: HOW_TO_READ,
    sections,
  });
}

function sectionOf(url: string, site: URL): string {
  const [, first = ''] = /^([^/?#]+)\//.exec(url.slice(site.href.length)) ?? [];
  return readableName(first);
}

/** A part of a URL in readable form. */
export function readableName(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function pageLink({ url, bytes, title, excerpt }: KnownTwin): LlmsLink {
  return { title, url: bytes > 0 ? twinUrl(url) : url, note: shortened(excerpt) };
}

/** Cut at the end of a word. */
function shortened(text: string): string {
  if (text.length <= MAX_NOTE) return text;
  return `${text.slice(0, MAX_NOTE).replace(/\s+\S*$|[\uD800-\uDBFF]$/, '')} …`;
}
