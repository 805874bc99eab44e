/**
 * PathGlob: which pages a rule selects, by the path of their address.
 *
 *     /log/**      the page /log/ and all below it
 *     /blog/20??/* each page directly below a year
 *
 * `*` is any characters of one segment, `?` is one of them, `**` is any number of segments. A path with a final slash, with `index.html` and without either is
 * the same page; the query is ignored.
 */
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { accept, type Result, refuse } from '../../codecs/primitives/result.ts';

export interface PathGlob {
  /** `**` for any number of them. */
  readonly segments: readonly string[];
  /** It ends in a slash, and matches no file of a folder. */
  readonly isFolder: boolean;
}

/** The path of a page, by segments. */
export interface PagePath {
  readonly segments: readonly string[];
  /** The page of a folder: its path ends in a slash or in `index.html`. */
  readonly isFolder: boolean;
}

const ANY = '**';
const INDEX = 'index.html';

export function readPathGlob(text: string): Result<PathGlob> {
  const odd = /[\s\\[\]{}#"<>^`|\p{Cc}]/u.exec(text);
  if (odd !== null) {
    return refuse('', `${JSON.stringify(odd[0])} does not stand in a path. Give one like /log/** or /blog/*/.`);
  }
  const segments = segmentsOf(text);
  const wide = segments.find((segment) => segment !== ANY && segment.includes(ANY));
  if (wide !== undefined) {
    return refuse('', `${ANY} stands alone between two slashes; "${wide}" holds more. Give a path like /log/**.`);
  }
  // Two in a row mean the same as one.
  const few = segments.filter((segment, at) => segment !== ANY || segments[at - 1] !== ANY);
  return accept({ segments: few, isFolder: text.endsWith('/') });
}

/** The path of an address, for {@link matchesGlob}. Undefined for an invalid address. */
export function pathOf(url: string): PagePath | undefined {
  if (!canParseUrl(url)) return undefined;
  const { pathname } = new URL(url);
  return { segments: segmentsOf(pathname), isFolder: /\/(?:index\.html?)?$/i.test(pathname) };
}

export function matchesGlob(glob: PathGlob, { segments, isFolder }: PagePath): boolean {
  const isMeant = (path: readonly string[]) =>
    matches(glob.segments, path, (wanted) => wanted === ANY, matchesWildcards);
  return isMeant(segments) || (isFolder && !glob.isFolder && isMeant([...segments, INDEX]));
}

/** Whether a name matches a pattern in which `*` is any characters and `?` is one. */
export function matchesWildcards(wanted: string, segment: string): boolean {
  if (!/[*?]/.test(wanted)) return wanted === segment;
  const [pattern, characters] = [Array.from(wanted), Array.from(segment)];
  return matches(
    pattern,
    characters,
    (one) => one === '*',
    (one, character) => one === '?' || one === character,
  );
}

/** Matches wildcards from left to right. Only the last wildcard is ever extended, so the cost is at most the product of both lengths. */
function matches(
  pattern: readonly string[],
  items: readonly string[],
  isWild: (one: string) => boolean,
  fits: (one: string, item: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let wildAt = -1;
  let stretchedTo = 0;
  while (item < items.length) {
    const one = pattern[at];
    if (one !== undefined && isWild(one)) {
      wildAt = at;
      stretchedTo = item;
      at += 1;
    } else if (one !== undefined && fits(one, items[item] ?? '')) {
      at += 1;
      item += 1;
    } else if (wildAt !== -1) {
      at = wildAt + 1;
      stretchedTo += 1;
      item = stretchedTo;
    } else return false;
  }
  return pattern.slice(at).every(isWild);
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.replace(/^\/+/, '').split('/').map(decoded);
  if (/^index\.html?$/i.test(segments.at(-1) ?? '')) segments.pop();
  while (segments.at(-1) === '') segments.pop();
  return segments;
}

/** Decoded for people, if possible. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
