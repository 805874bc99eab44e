import { encodeLlmsLink, type LlmsLink } from '../../../codecs/llms-txt/encode.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { folderList, LIST_PATH, type ListedPlace, pageLink, pageList, readableName, rootList } from './list-text.ts';
import { twinPath } from './twin.ts';
import type { KnownTwin } from './twin-memory.ts';

/** A list and its path. */
export interface ListFile {
  readonly path: string;
  readonly text: string;
}

export interface LinkLimits {
  /** The most bytes of links in a list, except for a single longer link. */
  readonly bytes: number;
  /** The most links in a list. */
  readonly links: number;
}

/** A longer list is more than anybody reads at once, and every changed page rewrites it. */
export const LIST_LIMITS: LinkLimits = { bytes: 512 * 1024, links: 2500 };
/** The list above a folder lists its pages if there are no more than this. */
const FEW_PAGES = 20;

/**
 * The lists of a site: `llms.txt`, and if that would be too long, one in each large folder, which the list above it links to. A
 * list that is still too long continues in `llms-2.txt` and so on. A list comes before the list that links to it.
 */
export function listFiles(pages: readonly KnownTwin[], place: ListedPlace, limits = LIST_LIMITS): readonly ListFile[] {
  const whole = pages.length <= limits.links ? pageList(pages, place) : undefined;
  if (whole !== undefined && Buffer.byteLength(whole) <= limits.bytes) return [{ path: LIST_PATH, text: whole }];
  const sorted = pages.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  return filesOfFolder({ path: '', file: '', pages: sorted }, place, limits);
}

interface ListedFolder {
  /** As in URLs, with a slash at the end; empty for the site itself. */
  readonly path: string;
  /** As in file names. */
  readonly file: string;
  /** All pages below it. */
  readonly pages: readonly KnownTwin[];
}

function filesOfFolder(folder: ListedFolder, place: ListedPlace, limits: LinkLimits): readonly ListFile[] {
  const large = fits(folder, limits) ? [] : largeFolders(folder, place.site);
  const listed = new Set(large.flatMap(({ pages }) => pages));
  const rest = folder.pages.filter((page) => !listed.has(page));
  const links = [
    ...large.map((each) => ({ ...folderLink(each, folder, place), isFolder: true })),
    ...rest.map(pageLink),
  ];
  const pieces = cut(links, limits);
  const url = (number: number) => new URL(`${folder.path}${listName(number)}`, place.site).href;
  const more = pieces.slice(1).map((_, at): LlmsLink => ({ title: `More pages, ${at + 2}`, url: url(at + 2) }));
  const files = pieces.map((piece, at): ListFile => {
    const sections = [
      { name: 'Pages', links: piece.filter((link) => !isFolder(link)) },
      { name: 'Sections', links: piece.filter(isFolder) },
      { name: 'More', links: at === 0 ? more : [] },
    ];
    const isRoot = folder.path === '' && at === 0;
    const text = isRoot ? rootList(sections, folder.pages, place) : folderList(sections, folder.path, place);
    return { path: `${folder.file}${listName(at + 1)}`, text };
  });
  return [...large.flatMap((each) => filesOfFolder(each, place, limits)), ...files.toReversed()];
}

function listName(number: number): string {
  return number === 1 ? LIST_PATH : LIST_PATH.replace('.', `-${number}.`);
}

function fits({ pages }: ListedFolder, { bytes, links }: LinkLimits): boolean {
  return pages.length <= links && pages.reduce((sum, page) => sum + bytesOf(pageLink(page)), 0) <= bytes;
}

/** The direct subfolders that get a separate list. */
function largeFolders({ path, pages }: ListedFolder, site: URL): readonly ListedFolder[] {
  const start = site.href.length + path.length;
  const below = groupBy(pages, ({ url }) => /^[^/?#]+\//.exec(url.slice(start))?.[0]);
  return Array.from(below).flatMap(([name, own]) => {
    if (name === undefined || own.length <= FEW_PAGES) return [];
    // A folder whose name cannot be a file name is listed in the list above.
    const file = twinPath(`${site.href}${path}${name}x`, site)?.replace(/x\.md$/, '');
    return file === undefined ? [] : [{ path: path + name, file, pages: own }];
  });
}

function folderLink({ path, pages }: ListedFolder, above: ListedFolder, { site }: ListedPlace): LlmsLink {
  const title = readableName(path.slice(above.path.length, -1));
  return { title, url: `${site.href}${path}${LIST_PATH}`, note: `${pages.length} pages` };
}

function isFolder(link: LlmsLink & { readonly isFolder?: boolean }): boolean {
  return link.isFolder === true;
}

function cut<Link extends LlmsLink>(links: readonly Link[], limits: LinkLimits): readonly (readonly Link[])[] {
  const pieces: Link[][] = [[]];
  let used = 0;
  for (const link of links) {
    const bytes = bytesOf(link);
    const last = pieces.at(-1) ?? [];
    const isFull = last.length >= limits.links || used + bytes > limits.bytes;
    if (isFull && last.length > 0) {
      pieces.push([link]);
      used = bytes;
    } else {
      last.push(link);
      used += bytes;
    }
  }
  return pieces;
}

function bytesOf(link: LlmsLink): number {
  return Buffer.byteLength(encodeLlmsLink(link)) + 1;
}
