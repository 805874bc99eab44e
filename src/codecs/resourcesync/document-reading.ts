import type { LineIssue } from '../primitives/result.ts';
import { shorten } from '../primitives/shorten.ts';
import { checkCapability, checkDocumentHead, checkDocumentRoot, clauseOfKind, type Expected } from './document-head.ts';
import type { ElementName, PiecesAttributes } from './element-scope.ts';
import { DocumentFlaw, type DocumentProblem, ENTRY, KIND, LIMIT } from './issue.ts';
import { readLinkAttributes, readMetadata } from './read-attributes.ts';
import { type EntryParts, type ReadEntry, readEntry } from './read-entry.ts';
import type { TimeSpan } from './time-span.ts';
import {
  type Capability,
  type Head,
  type Link,
  type ResourceMetadata,
  RS_NAMESPACE,
  SITEMAP_NAMESPACE,
} from './wire.ts';
import { XmlPieces } from './xml-pieces.ts';

/** One part of a document, in order: first the document itself, then its entries. */
export type ResourceSyncPart =
  | { readonly kind: 'document'; readonly document: Head<TimeSpan> }
  | { readonly kind: 'entry'; readonly entry: ReadEntry }
  | { readonly kind: 'problem'; readonly problem: DocumentProblem }
  /** The last part: the document is invalid. The parts before it may be incomplete. */
  | { readonly kind: 'refused'; readonly issue: LineIssue };

export interface ReadingLimits {
  /** The limit for one entry, and for the text before the first and between two, in UTF-16 units. */
  readonly maxEntryCharacters?: number;
  readonly maxEntries?: number;
}

const MAX_ENTRY_CHARACTERS = 256 * 1024;
/** How many entries are held back while a small document may still describe itself after them. */
const MAX_HELD = 1000;
const MAX_HELD_CHARACTERS = 1024 * 1024;
const MAX_HEAD_LINKS = 1000;
const OPENING = 256;
const HTML = /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)[\s>]/i;

/** Reads one document, from its first piece to its last. Parts are collected until they are taken. */
export class DocumentReading {
  readonly #expected: Expected;
  readonly #maxEntries: number;
  readonly #xml: XmlPieces;
  #parts: ResourceSyncPart[] = [];
  #opening = '';
  #isIndex: boolean | undefined;
  #capability: Capability | undefined;
  #md: ResourceMetadata<TimeSpan> = {};
  readonly #links: Link<TimeSpan>[] = [];
  #head: Head<TimeSpan> | undefined;
  #held: EntryParts[] = [];
  #entry: EntryParts | undefined;
  #field: 'loc' | 'lastmod' | undefined;
  #text = '';
  #entries = 0;
  #changeLists = 0;
  #isOver = false;
  readonly #addProblem = (problem: DocumentProblem) => this.#add({ kind: 'problem', problem });

  constructor(expected: Expected, { maxEntryCharacters = MAX_ENTRY_CHARACTERS, maxEntries = Infinity }: ReadingLimits) {
    this.#expected = expected;
    this.#maxEntries = maxEntries;
    this.#xml = new XmlPieces(
      {
        open: (name, attributes, depth) => this.#open(name, attributes, depth),
        close: (depth) => this.#close(depth),
        text: (text, depth) => {
          if (this.#field !== undefined && depth === 3) this.#text += text;
        },
      },
      maxEntryCharacters,
    );
  }

  /** After a refusal nothing more comes. */
  get isOver(): boolean {
    return this.#isOver;
  }

  write(piece: string): void {
    if (this.#opening.length < OPENING) this.#opening = `${this.#opening}${piece}`.slice(0, OPENING);
    this.#guard(() => this.#xml.write(piece));
  }

  end(): void {
    this.#guard(() => this.#xml.end());
    this.#isOver = true;
  }

  refuse(clause: string, message: string): void {
    this.#add({ kind: 'refused', issue: { clause, message, line: this.#xml.line } });
    this.#isOver = true;
  }

  /** The new parts since the last call. Only a refusal may come before the document itself. */
  take(): readonly ResourceSyncPart[] {
    if (this.#head === undefined && !this.#isOver) return [];
    return this.#takeAll();
  }

  #guard(work: () => void): void {
    if (this.#isOver) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof DocumentFlaw)) throw error;
      const isPage = this.#isIndex === undefined && HTML.test(this.#opening);
      this.refuse(error.clause, isPage ? 'It is an HTML page, not a ResourceSync document.' : error.message);
    }
  }

  #open({ local, uri }: ElementName, attributes: PiecesAttributes, depth: number): void {
    if (depth === 1) this.#openRoot(local, uri);
    else if (depth === 2 && uri === RS_NAMESPACE) this.#openHeadElement(local, attributes);
    else if (depth === 2) this.#openEntry(local, uri);
    else if (depth === 3 && this.#entry !== undefined) {
      if (uri === RS_NAMESPACE) {
        if (local === 'md') this.#entry.mds.push(attributes);
        else if (local === 'ln') this.#entry.lns.push(attributes);
      } else if (uri === SITEMAP_NAMESPACE && (local === 'loc' || local === 'lastmod')) {
        this.#field = local;
        this.#text = '';
      }
    }
  }

  #close(depth: number): void {
    if (depth === 3 && this.#field !== undefined) this.#closeField(this.#field);
    if (depth > 2) return;
    this.#xml.endPart();
    if (depth === 2) this.#closeEntry();
    else this.#closeRoot();
  }

  #closeField(field: 'loc' | 'lastmod'): void {
    this.#field = undefined;
    const entry = this.#entry;
    if (entry === undefined) return;
    if (field === 'loc' && entry.loc !== undefined) entry.hasTwoLocs = true;
    entry[field] ??= this.#text;
  }

  #openRoot(local: string, uri: string): void {
    if (local !== 'urlset' && local !== 'sitemapindex') {
      throw new DocumentFlaw(KIND, `Its root is "${shorten(local)}", which no ResourceSync document has.`);
    }
    if (uri !== SITEMAP_NAMESPACE) {
      throw new DocumentFlaw('RS-S2', `Its root is in the namespace "${shorten(uri)}" and not in that of sitemaps.`);
    }
    this.#isIndex = local === 'sitemapindex';
    checkDocumentRoot(this.#isIndex, this.#expected);
  }

  #openHeadElement(local: string, attributes: PiecesAttributes): void {
    if (local !== 'md' && local !== 'ln') return;
    if (this.#head !== undefined) {
      this.#tell(ENTRY, `An rs:${local} of the document stands behind its entries; it is not read.`);
      return;
    }
    if (this.#entries > 0) this.#tell(ENTRY, `An rs:${local} of the document stands behind its entries.`);
    const report = (clause: string, message: string) => this.#tell(clause, message);
    if (local === 'ln') {
      const link = readLinkAttributes(attributes, report);
      if (link !== undefined) this.#links.push(link);
      if (this.#links.length > MAX_HEAD_LINKS)
        throw new DocumentFlaw(LIMIT, `It has more than ${MAX_HEAD_LINKS} links.`);
    } else if (this.#capability !== undefined) {
      this.#tell(ENTRY, 'It has more than one rs:md; the first that names a capability counts.');
    } else {
      this.#md = readMetadata(attributes, report);
      const { capability } = this.#md;
      if (capability === undefined) return;
      this.#capability = checkCapability(capability, this.#isIndex === true, this.#expected);
    }
  }

  #openEntry(local: string, uri: string): void {
    if (local !== 'url' && local !== 'sitemap') return;
    if (this.#head === undefined && !this.#mayWait) this.#beginEntries();
    if (uri !== SITEMAP_NAMESPACE) {
      this.#tell('RS-S2', `A "${local}" is not in the namespace of sitemaps.`, 'skipped');
    } else if (local !== (this.#isIndex ? 'sitemap' : 'url')) {
      this.#tell('RS-X2', `A "${local}" does not belong into this document.`, 'skipped');
    } else {
      this.#entries += 1;
      if (this.#entries > this.#maxEntries)
        throw new DocumentFlaw(LIMIT, `It has more than ${this.#maxEntries} entries.`);
      this.#entry = { line: this.#xml.line, loc: undefined, lastmod: undefined, hasTwoLocs: false, mds: [], lns: [] };
    }
  }

  #closeEntry(): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (entry === undefined) return;
    if (this.#head === undefined) this.#held.push(entry);
    else this.#give(entry, this.#head);
  }

  #closeRoot(): void {
    if (this.#head === undefined) this.#beginEntries();
    if (this.#head?.capability !== 'capabilitylist' || this.#changeLists === 1) return;
    const count = this.#changeLists === 0 ? 'no Change List' : `${this.#changeLists} Change Lists`;
    this.#tell('RS-C8', `It names ${count}, where it must name exactly one.`);
  }

  /** Lists of lists are small, so what they say about themselves is read wherever it occurs. */
  get #mayWait(): boolean {
    const capability = this.#capability ?? 'description';
    const isSmall = this.#held.length < MAX_HELD && this.#xml.position < MAX_HELD_CHARACTERS;
    return isSmall && (capability === 'description' || capability === 'capabilitylist');
  }

  #beginEntries(): void {
    const isIndex = this.#isIndex === true;
    const head = { capability: this.#knownCapability(), isIndex, md: this.#md, links: [...this.#links] };
    this.#head = head;
    const early = this.#takeAll();
    this.#add({ kind: 'document', document: head });
    for (const part of early) this.#add(part);
    checkDocumentHead(head, this.#xml.line, this.#addProblem);
    for (const entry of this.#held) this.#give(entry, head);
    this.#held = [];
  }

  /** An index is recognised by its root alone (RS-X2), so one without rs:md counts as what its reader expects. */
  #knownCapability(): Capability {
    if (this.#capability !== undefined) return this.#capability;
    const { capability } = this.#expected;
    const message = 'It has no rs:md that says which capability it is.';
    if (this.#isIndex !== true || capability === undefined) throw new DocumentFlaw(clauseOfKind(capability), message);
    this.#tell(KIND, message);
    return checkCapability(capability, true, this.#expected);
  }

  #give(raw: EntryParts, head: Head<TimeSpan>): void {
    const entry = readEntry(raw, head, this.#addProblem);
    if (entry === undefined) return;
    if (entry.md.capability === 'changelist') this.#changeLists += 1;
    this.#add({ kind: 'entry', entry });
  }

  #takeAll(): readonly ResourceSyncPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  #tell(clause: string, message: string, effect: DocumentProblem['effect'] = 'kept'): void {
    this.#add({ kind: 'problem', problem: { clause, message, line: this.#xml.line, effect } });
  }

  #add(part: ResourceSyncPart): void {
    this.#parts.push(part);
  }
}
