import type { DocumentHeading, DocumentImage, DocumentLink } from '../../codecs/aidocument/wire.ts';
import { parseDocument } from '../parse-html.ts';
import { readImages } from './images.ts';
import { linkPlace, linkTo, readLinks } from './links.ts';
import { blankBlocks, blankSpans } from './markdown-code.ts';
import { markdownHeadings } from './markdown-headings.ts';
import { collectParts } from './page-parts.ts';
import { structureText } from './plain-text.ts';
import { shortText } from './short-text.ts';
import { webAddress } from './web-address.ts';

export interface MarkdownStructure {
  readonly headings: readonly DocumentHeading[];
  readonly links: readonly DocumentLink[];
  readonly images: readonly DocumentImage[];
}

interface Found {
  readonly kind: 'link' | 'image';
  readonly at: number;
  readonly words: string;
  readonly target: string;
}

const MAX_ENTRIES = 10_000;
const MAX_ALT = 2000;

// Each repeats a class that excludes its own start, or is bounded: every text is matched in one pass.
const ADDRESS = String.raw`\(\s{0,9}(?:<(?<angled>[^<>\n]{0,4096})>|(?<plain>[^()\s<>]{0,4096}(?:\([^()\s]{0,999}\)[^()\s]{0,999}){0,9}))(?:\s{1,9}(?:"[^"\n]{0,999}"|'[^'\n]{0,999}'|\([^()\n]{0,999}\)))?\s{0,9}\)`;
const WORDS = String.raw`\[(?<words>(?:[^[\]]|\[[^[\]\n]{0,300}\]){0,2000})\]`;
const IMAGE = new RegExp(`!${WORDS}${ADDRESS}`, 'g');
const LINK = new RegExp(`${WORDS}${ADDRESS}`, 'g');
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,300})\]:[ \t]{0,9}<?([^\s<>]{1,4096})>?[^\n]{0,999}$/gm;
const REFERENCE = /(?<bang>!?)\[(?<words>[^[\]\n]{1,500})\](?:\[(?<name>[^[\]\n]{0,300})\])?/g;
const BARE = /\bhttps?:\/\/[^\s<>"'`\\^{}|]{1,4096}/g;

/** The headings, links and images of a Markdown text, including those written in HTML. Relative addresses are resolved against `url`. */
export function readMarkdownStructure(markdown: string, url: string): MarkdownStructure {
  const text = blankSpans(blankBlocks(markdown));
  const found = findInline(text, markdown).sort((left, right) => left.at - right.at);
  const html = readHtmlParts(text, url);
  const place = linkPlace(url, url);
  const links = found
    .filter(({ kind }) => kind === 'link')
    .map(({ words, target }) => linkTo(target, () => words, place));
  const images = found.filter(({ kind }) => kind === 'image').map((image) => imageOf(image, url));
  return {
    headings: markdownHeadings(markdown),
    links: [...links.filter((link) => link !== undefined), ...html.links].slice(0, MAX_ENTRIES),
    images: [...images.filter((image) => image !== undefined), ...html.images].slice(0, MAX_ENTRIES),
  };
}

/** The bare addresses in a text, which are links without Markdown. */
export function readAddresses(text: string, url: string): DocumentLink[] {
  const addresses = text.match(BARE)?.slice(0, MAX_ENTRIES) ?? [];
  const place = linkPlace(url, url);
  const links = addresses.map((address) => linkTo(withoutTrail(address), () => '', place));
  return links.filter((link) => link !== undefined);
}

/** In `text` code is blanked; `original` has the words at the same positions. */
function findInline(text: string, original: string): Found[] {
  const definitions = new Map(Array.from(text.matchAll(DEFINITION), ([, name = '', to = '']) => [keyOf(name), to]));
  const found: Found[] = [];
  let rest = text.replace(DEFINITION, blank);
  // A match is blanked out, so that it is not found again and everything else keeps its position.
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Omit<Found, 'at'> | undefined) => {
    const pieces: string[] = [];
    let from = 0;
    for (const match of rest.matchAll(pattern)) {
      const item = found.length < MAX_ENTRIES ? read(match) : undefined;
      if (item === undefined) continue;
      found.push({ ...item, at: match.index });
      pieces.push(rest.slice(from, match.index), blank(match[0]));
      from = match.index + match[0].length;
    }
    rest = pieces.join('') + rest.slice(from);
  };
  const wordsOf = ({ index, 0: whole, groups }: RegExpExecArray) => {
    const start = index + whole.indexOf('[') + 1;
    return structureText(original.slice(start, start + (groups?.words?.length ?? 0)));
  };
  const addressIn = ({ groups }: RegExpExecArray) => groups?.angled ?? groups?.plain ?? '';
  take(IMAGE, (match) => ({ kind: 'image', words: wordsOf(match), target: addressIn(match) }));
  take(LINK, (match) => ({ kind: 'link', words: wordsOf(match), target: addressIn(match) }));
  take(REFERENCE, (match) => {
    const { bang, words = '', name = '' } = match.groups ?? {};
    const target = definitions.get(keyOf(name === '' ? words : name));
    return target === undefined ? undefined : { kind: bang === '!' ? 'image' : 'link', words: wordsOf(match), target };
  });
  take(BARE, ([address]) => ({ kind: 'link', words: '', target: withoutTrail(address) }));
  return found;
}

function imageOf({ words, target }: Found, url: string): DocumentImage | undefined {
  const address = webAddress(target, url)?.href;
  const alt = shortText(words, MAX_ALT);
  return address === undefined ? undefined : { url: address, ...(alt !== '' && { alt }) };
}

function readHtmlParts(text: string, url: string): Pick<MarkdownStructure, 'links' | 'images'> {
  if (!/<(?:a|img)\s/i.test(text)) return { links: [], images: [] };
  const parts = collectParts(parseDocument(text).root);
  return { links: readLinks(parts.links, url, url), images: readImages(parts.images, url) };
}

/** References match regardless of case and spacing. */
function keyOf(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Removes the punctuation of the sentence after an address. A closing parenthesis is punctuation if none is open. */
function withoutTrail(address: string): string {
  const trimmed = address.replace(/[.,;:!?*_~\]]{1,9}$/, '');
  return trimmed.endsWith(')') && !trimmed.includes('(') ? trimmed.slice(0, -1) : trimmed;
}
