/**
 * pages.ndjson: what a published site remembers of its pages, to say section by section what changes next.
 *
 *     {"tidings":"pages/1","log":3,"pages":1,"sha256":"…","feeds":[{"path":"ai-changes.ndjson","first":1}]}
 *     {"file":"…","bytes":5120,"modified":1772366400000,"extractor":"1","url":"https://docs.example/","title":"Home","checksum":"…","preamble":"…","sections":[["intro","…","…","Hello."]]}
 *
 * It is derived: the log is the truth, and a copy that lags behind the log is mended from it. Fingerprints are
 * base64url here, half the size of hex; behind those of a short section stands its text. The lines of pages that did not
 * change stay bytes, so `file` to `url` stand first, where they can be read without decoding the line. `lines` has the marks of the
 * lines of all parts, with a dot between two of them; `spots` says where a live page changes again and again. What a live page needs
 * to be asked for again stands last, as `visit`; the header of a live site says how its pages were found and, where one of them
 * changed of late, the number of the next look (`look`); that of a site with rules by which its pages were read, and that of a site without excerpts that it has no texts.
 */
import { hash } from 'node:crypto';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { type GivenRules, givenRulesOf } from '../model/given-rules.ts';
import type { FoundBy, PageOutline } from '../model/page.ts';
import type { Spot } from '../model/spot.ts';
import type { RememberedTerms } from '../model/uses.ts';

/** The file that a page was read from. */
export interface PageFile {
  /** Its SHA-256, base64url; empty when it is not known. */
  readonly file: string;
  /** Its length. */
  readonly bytes?: number | undefined;
  /** When its bytes were first seen as they are: by the publish that found them, which may have found nothing else new. */
  readonly modifiedMs?: number | undefined;
}

export interface PageRecord extends PageFile {
  readonly url: string;
  readonly extractor: string;
  /** The record as it stands in the file, with its line end. */
  readonly line: Uint8Array;
}

/** Pages of a site as they are remembered. */
export interface KnownPages {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** Of a live site. */
  readonly foundBy?: FoundBy;
  /** By which the pages were read, the newest first; absent where there never were any. */
  readonly rules?: readonly GivenRules[] | undefined;
  /** Of a live site: the number of the look that is to be taken next; absent where nobody counts them. */
  readonly look?: number | undefined;
}

export interface PagesFile extends KnownPages {
  /** How many changes the log held when this was written. */
  readonly log: number;
  /** Marks that each dialect left for its next publish, by their keys in the header. Who left them decodes them. */
  readonly marks: Marks;
  /** No section has its text here. */
  readonly isTextless?: boolean;
}

export type Marks = Readonly<Record<string, unknown>>;

/** What the next visit of a live page wants to know. */
export interface PageVisit {
  readonly etag?: string;
  readonly lastModified?: string;
  /** How many links lead from the base to it, where links were followed. */
  readonly clicks?: number;
  /** Addresses that it links to and that are no pages. */
  readonly deadLinks?: readonly string[];
  /** It was never seen with its end, and may have been cut on its way. */
  readonly isCut?: true;
  /** When it came to a site whose other pages were known. */
  readonly cameMs?: number;
  /** How often it was missing, or another page, and then itself again. */
  readonly wavers?: number;
  /** Unknown where an earlier version wrote the record, or nobody asked. */
  readonly terms?: RememberedTerms;
}

const FORMAT = 'pages/1';
/** The first line names files that hold the pages. */
export const PARTED_FORMAT = 'pages/2';
const LINE_FEED = 10;
export const PAGES_REMEDY =
  'Restore it from a backup, or delete pages.ndjson: the next publish rebuilds it from log.ndjson.';
const RECORD_START =
  /^\{"file":"([\w-]*)",(?:"bytes":(\d+),)?(?:"modified":(\d+),)?"extractor":"([^"\\]*)","url":"([^"\\]*)"/;

export function encodePagesFile(file: PagesFile): Uint8Array {
  const body = Buffer.concat(Array.from(file.pages.values(), ({ line }) => line));
  return Buffer.concat([encodePagesHead(file, { tidings: FORMAT, sha256: hash('sha256', body, 'hex') }), body]);
}

/** The first line. `body` says what is behind it, or where that is. */
export function encodePagesHead(
  { log, marks, pages, foundBy, look, rules, isTextless }: PagesFile,
  { tidings, ...body }: Pick<PagesHead, 'tidings'> & Partial<Pick<PagesHead, 'sha256' | 'parts'>>,
): Uint8Array {
  const texts = isTextless ? false : undefined;
  const head = { tidings, log, pages: pages.size, ...body, ...marks, foundBy, look, rules, texts };
  return Buffer.from(`${JSON.stringify(head)}\n`);
}

export function decodePagesFile(bytes: Uint8Array, name: string): PagesFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const bodyStart = endOfLine(file, 0);
  const header = decodePagesHead(bytes, name);
  const pages = new Map<string, PageRecord>();
  let number = 2;
  for (let start = bodyStart; start < file.length; number += 1) {
    const line = file.subarray(start, endOfLine(file, start));
    const record = decodeRecordStart(line);
    if (record === undefined)
      throw new StateCorruptError(name, 'this is not a page record.', PAGES_REMEDY, { line: number });
    pages.set(record.url, record);
    start += line.length;
  }
  if (hash('sha256', file.subarray(bodyStart), 'hex') !== header.sha256 || pages.size !== header.pages) {
    const line = firstBrokenLine(file.toString('utf8', bodyStart));
    throw new StateCorruptError(name, 'the pages are not those that were written.', PAGES_REMEDY, { line });
  }
  const { log, marks, foundBy, look, rules, isTextless } = header;
  return { log, marks, pages, look, rules, isTextless, ...(foundBy !== undefined && { foundBy }) };
}

/** With `visit`, empty or not, of a live page. */
export function encodePageRecord(
  { file, bytes, modifiedMs }: PageFile,
  page: PageOutline,
  visit?: PageVisit,
): PageRecord {
  const { url, extractor, title } = page;
  const line = `${JSON.stringify({
    file,
    bytes,
    modified: modifiedMs,
    extractor,
    url,
    title,
    checksum: shorten(page.checksum),
    preamble: shorten(page.preamble),
    sections: page.sections.map(({ anchor, checksum, body, text }) => [
      anchor,
      shorten(checksum),
      shorten(body),
      ...(text === undefined ? [] : [text]),
    ]),
    lines: linesOf(page),
    spots: page.spots?.length === 0 ? undefined : page.spots,
    visit,
  })}\n`;
  return { url, file, bytes, modifiedMs, extractor, line: Buffer.from(line) };
}

/** Marks of the lines of all parts in one text, which is a third of what a list of them would take. */
function linesOf({ preambleLines, sections }: PageOutline): string | undefined {
  const parts = [preambleLines, ...sections.map(({ lines }) => lines)];
  return parts.includes(undefined) ? undefined : parts.join('.');
}

/** The record with more known of its file; nothing else is decoded or encoded. */
export function withPageFile(record: PageRecord, known: Omit<PageFile, 'file'>): PageRecord {
  const { url, file, extractor, line } = record;
  const { bytes = record.bytes, modifiedMs = record.modifiedMs } = known;
  const rest = line.subarray(startOf(record).length);
  const start = startOf({ file, bytes, modifiedMs });
  return { url, file, bytes, modifiedMs, extractor, line: Buffer.concat([Buffer.from(start), rest]) };
}

/** The record without the texts of its sections. */
export function withoutTexts(record: PageRecord): PageRecord {
  const fields = JSON.parse(new TextDecoder().decode(record.line)) as { readonly sections: readonly string[][] };
  if (fields.sections.every(({ length }) => length <= WITHOUT_TEXT)) return record;
  const sections = fields.sections.map((section) => section.slice(0, WITHOUT_TEXT));
  return { ...record, line: Buffer.from(`${JSON.stringify({ ...fields, sections })}\n`) };
}

/** Anchor, checksum and body; the text of a short section stands behind them. */
const WITHOUT_TEXT = 3;

/** As JSON writes what stands before the extractor. */
function startOf({ file, bytes, modifiedMs }: PageFile): string {
  return `${JSON.stringify({ file, bytes, modified: modifiedMs }).slice(0, -1)},`;
}

/** The record that was decoded last: a page that is compared is asked for several times in a row. */
let decoded: { readonly line: Uint8Array; readonly page: PageOutline } | undefined;

export function decodePageRecord({ line }: PageRecord): PageOutline {
  if (decoded?.line !== line) decoded = { line, page: decodeLine(line) };
  return decoded.page;
}

function decodeLine(line: Uint8Array): PageOutline {
  // The digest over the file was right, so the line is one that encodePageRecord wrote.
  const record = JSON.parse(new TextDecoder().decode(line)) as Omit<PageOutline, 'sections'> & {
    sections: [string, string, string, string?][];
    lines?: string;
  };
  const { spots } = record;
  const [preambleLines, ...lines] = record.lines?.split('.') ?? [];
  return {
    url: record.url,
    title: record.title,
    extractor: record.extractor,
    checksum: lengthen(record.checksum),
    preamble: lengthen(record.preamble),
    ...(preambleLines !== undefined && { preambleLines }),
    sections: record.sections.map(([anchor, checksum, body, text], at) => ({
      anchor,
      checksum: lengthen(checksum),
      body: lengthen(body),
      ...(text !== undefined && { text }),
      ...(lines[at] !== undefined && { lines: lines[at] }),
    })),
    ...(spots !== undefined && { spots }),
  };
}

/** Where a page changed of late, or changes again and again. Hardly any page has such; for the others nothing is decoded. */
export function decodePageSpots(record: PageRecord): readonly Spot[] {
  const line = Buffer.from(record.line.buffer, record.line.byteOffset, record.line.length);
  return line.includes(SPOTS) ? (decodePageRecord(record).spots ?? []) : [];
}

/** As JSON begins the list; in a text its quotes would be escaped. */
const SPOTS = ',"spots":[';

/** It stands last, so that nothing else is decoded. */
export function decodePageVisit({ line }: PageRecord): PageVisit {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
  const at = bytes.lastIndexOf(VISIT);
  return at === -1 ? {} : (JSON.parse(`{${bytes.toString('utf8', at + 1)}`) as { readonly visit: PageVisit }).visit;
}

/** As JSON begins it; in a text its quotes would be escaped. */
const VISIT = ',"visit":{';

/** Longer than what stands before the title of nearly every page. */
const RECORD_START_BYTES = 300;

/** Addresses are plain ASCII, which Latin-1 reads at no cost. Undefined for what is no record. */
export function decodeRecordStart(line: Buffer): PageRecord | undefined {
  const start =
    RECORD_START.exec(line.toString('latin1', 0, RECORD_START_BYTES)) ?? RECORD_START.exec(line.toString('latin1'));
  if (start === null) return undefined;
  const [, file = '', bytes, modified, extractor = '', url = ''] = start;
  return { url, file, bytes: numberOf(bytes), modifiedMs: numberOf(modified), extractor, line };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

/** Behind the line feed that ends the line at `start`; the end of the file when none does. */
export function endOfLine(file: Buffer, start: number): number {
  const lineFeed = file.indexOf(LINE_FEED, start);
  return lineFeed === -1 ? file.length : lineFeed + 1;
}

/** What the first line says. */
export interface PagesHead extends Pick<PagesFile, 'log' | 'marks' | 'foundBy' | 'look' | 'rules' | 'isTextless'> {
  readonly tidings: string;
  readonly pages: number;
  /** Of the pages, which stand behind it. */
  readonly sha256: string;
  /** Where the pages are elsewhere: the names of the files that hold them. */
  readonly parts: readonly string[];
}

export function decodePagesHead(bytes: Uint8Array, name: string): PagesHead {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let header: Marks | null;
  try {
    header = JSON.parse(file.toString('utf8', 0, endOfLine(file, 0))) as Marks | null;
  } catch {
    throw new StateCorruptError(name, 'the first line is not JSON.', PAGES_REMEDY, { line: 1 });
  }
  const format = header?.tidings;
  const isParted = format === PARTED_FORMAT;
  if (typeof format === 'string' && /^pages\/\d+$/.test(format) && format !== FORMAT && !isParted) {
    throw new StateCorruptError(
      name,
      `it is in format "${format}", this Tidings knows "${PARTED_FORMAT}".`,
      'Use a newer Tidings.',
      { line: 1 },
    );
  }
  const { tidings: _, log, pages, sha256 = '', parts = [], foundBy, look, rules, texts, ...marks } = header ?? {};
  const isWhole = isParted ? arePartNames(parts) : format === FORMAT && sha256 !== '';
  if (!isWhole || typeof log !== 'number' || typeof pages !== 'number' || typeof sha256 !== 'string') {
    throw new StateCorruptError(name, 'the first line does not say what this file is.', PAGES_REMEDY, { line: 1 });
  }
  const isKnownWay = foundBy === 'sitemaps' || foundBy === 'links';
  const body = { tidings: String(format), sha256, parts: arePartNames(parts) ? parts : [] };
  const read = {
    look: Number.isSafeInteger(look) ? Number(look) : undefined,
    rules: Array.isArray(rules) ? rules.flatMap((one) => givenRulesOf(one) ?? []) : undefined,
  };
  return { ...body, log, pages, marks, ...read, isTextless: texts === false, ...(isKnownWay && { foundBy }) };
}

/** A name leads to no other folder. */
function arePartNames(parts: unknown): parts is readonly string[] {
  return Array.isArray(parts) && parts.every((part) => typeof part === 'string' && /^[0-9a-f]{32}$/.test(part));
}

function firstBrokenLine(body: string): number | undefined {
  for (const [index, line] of body.split('\n').entries()) {
    if (line === '') continue;
    try {
      JSON.parse(line);
    } catch {
      return index + 2;
    }
  }
  return undefined;
}

const PREFIX = 'sha256:';

function shorten(checksum: string): string {
  return checksum.startsWith(PREFIX)
    ? Buffer.from(checksum.slice(PREFIX.length), 'hex').toString('base64url')
    : checksum;
}

function lengthen(short: string): string {
  return short === '' ? '' : PREFIX + Buffer.from(short, 'base64url').toString('hex');
}
