import type { PiecesAttributes } from '../../../codecs/resourcesync/element-scope.ts';
import { DocumentFlaw } from '../../../codecs/resourcesync/issue.ts';
import { XmlPieces } from '../../../codecs/resourcesync/xml-pieces.ts';

/** An element, with its position and its text. */
export interface RawElement {
  /** The line where its tag begins, from 1. */
  readonly line: number;
  /** The name without its prefix. */
  readonly local: string;
  /** Its namespace. */
  readonly uri: string;
  /** Only attributes without a prefix. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The tag as written, on one line; cut if it is long. */
  readonly written: string;
}

export interface RawText extends RawElement {
  /** Without surrounding blanks. */
  readonly text: string;
}

/** A `url` or a `sitemap`, whatever it contains. */
export interface RawEntry extends RawElement {
  readonly locs: readonly RawText[];
  readonly lastmods: readonly RawText[];
  readonly mds: readonly RawElement[];
  readonly lns: readonly RawElement[];
}

export interface RawHead {
  readonly root: RawElement;
  readonly mds: readonly RawElement[];
  readonly lns: readonly RawElement[];
  /** The first other elements beside the entries. */
  readonly others: readonly RawElement[];
  readonly entryCount: number;
}

export interface RawFlaw {
  readonly line: number;
  readonly message: string;
}

export interface RawDocument {
  /** Undefined if there is no readable root. */
  readonly head: RawHead | undefined;
  /** Why reading ended early. */
  readonly flaw: RawFlaw | undefined;
}

const PIECE = 32 * 1024;
const MAX_PART_CHARACTERS = 256 * 1024;
const MAX_WRITTEN = 300;
const MAX_HEAD_ELEMENTS = 1000;
const MAX_ENTRY_ELEMENTS = 1000;
const MAX_OTHERS = 20;

interface OpenEntry extends RawElement {
  readonly locs: RawText[];
  readonly lastmods: RawText[];
  readonly mds: RawElement[];
  readonly lns: RawElement[];
}

/**
 * Reads a document as it is written. Elements are recognised by name in any namespace, because a file in the wrong namespace has
 * other faults, too. Entries are passed on as they come and not kept; without `onEntry` they are only counted. Never throws because
 * of the text.
 */
export function readRawDocument(text: string, onEntry?: (entry: RawEntry) => void): RawDocument {
  const mds: RawElement[] = [];
  const lns: RawElement[] = [];
  const others: RawElement[] = [];
  let root: RawElement | undefined;
  let entryCount = 0;
  let entry: OpenEntry | undefined;
  let field: RawElement | undefined;
  let said = '';
  const take = (element: RawElement, into: Pick<OpenEntry, 'mds' | 'lns'>, most: number) => {
    const list = element.local === 'md' ? into.mds : element.local === 'ln' ? into.lns : undefined;
    if (list !== undefined && list.length < most) list.push(element);
  };
  const xml = new XmlPieces(
    {
      open({ local, uri }, attributes, depth) {
        const isEntry = depth === 2 && /^(?:url|sitemap)$/.test(local);
        if (isEntry) entryCount += 1;
        if (depth > 3 || ((isEntry || depth === 3) && onEntry === undefined)) return;
        const element = { local, uri, ...placeOf(text, xml), attributes: plainOf(attributes) };
        if (depth === 1) root = element;
        else if (isEntry) {
          entry = { ...element, locs: [], lastmods: [], mds: [], lns: [] };
        } else if (depth === 2) {
          take(element, { mds, lns }, MAX_HEAD_ELEMENTS);
          if (!/^(?:md|ln)$/.test(local) && others.length < MAX_OTHERS) others.push(element);
        } else if (entry !== undefined && /^(?:loc|lastmod)$/.test(local)) {
          field = element;
          said = '';
        } else if (entry !== undefined) take(element, entry, MAX_ENTRY_ELEMENTS);
      },
      close(depth) {
        if (depth === 3 && field !== undefined) {
          const list = field.local === 'loc' ? entry?.locs : entry?.lastmods;
          if (list !== undefined && list.length < MAX_ENTRY_ELEMENTS) list.push({ ...field, text: said.trim() });
          field = undefined;
        }
        if (depth !== 2) return;
        xml.endPart();
        if (entry === undefined) return;
        onEntry?.(entry);
        entry = undefined;
      },
      text(piece, depth) {
        if (field !== undefined && depth === 3) said += piece;
      },
    },
    MAX_PART_CHARACTERS,
  );
  const flaw = flawOf(xml, () => {
    for (let at = 0; at < text.length; at += PIECE) xml.write(text.slice(at, at + PIECE));
    xml.end();
  });
  return { head: root === undefined ? undefined : { root, mds, lns, others, entryCount }, flaw };
}

function flawOf(xml: XmlPieces, read: () => void): RawFlaw | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof DocumentFlaw)) throw error;
    return { line: xml.line, message: error.message };
  }
}

/** The parser has just passed the tag. The last `<` begins it, because a tag contains no other. */
function placeOf(text: string, xml: XmlPieces): Pick<RawElement, 'line' | 'written'> {
  const { line, position } = xml;
  const start = text.lastIndexOf('<', position - 1);
  if (start === -1) return { line, written: '' };
  const tag = text.slice(start, position);
  const breaks = tag.match(/\r\n?|\n/g)?.length ?? 0;
  const written = tag.slice(0, 2 * MAX_WRITTEN).replace(/\s+/g, ' ');
  return {
    line: line - breaks,
    written: written.length > MAX_WRITTEN ? `${written.slice(0, MAX_WRITTEN).toWellFormed()}…` : written,
  };
}

function plainOf(attributes: PiecesAttributes): ReadonlyMap<string, string> {
  return new Map(attributes.filter(({ name }) => !name.includes(':')).map(({ name, value }) => [name, value.trim()]));
}
