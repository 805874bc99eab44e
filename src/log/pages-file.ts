/**
 * pages.ndjson: what a published site stores about its pages, so that the next run can say section by section what changed.
 *
 *     {"tidings":"pages/1","log":3,"pages":1,"sha256":"…","feeds":[{"path":"ai-changes.ndjson","first":1}]}
 *     {"file":"…","bytes":5120,"modified":1772366400000,"extractor":"1","url":"https://docs.example/","title":"Home","checksum":"…","preamble":"…","sections":[["intro","…","…","Hello."]]}
 *
 * The file is derived from the log: if it lags behind, it is repaired from the log. Fingerprints are base64url here, half the size of hex; the text
 * of a short section follows its fingerprints. The lines of unchanged pages are kept as bytes, so `file` to `url` come first, where they can be read
 * without decoding the line. `lines` holds the line marks of all parts, separated by dots; `spots` names the places where a live page changes
 * repeatedly. `visit`, the last field, holds what the next request of a live page needs.
 *
 * The header of a live site says how its pages were found and, if one of them changed recently, the number of the next look (`look`). The header also
 * holds the rules by which the pages were read, if there are any, and says if the site stores no texts because its excerpts are off.
 */
import { hash } from 'node:crypto';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { type GivenRules, givenRulesOf } from '../model/given-rules.ts';
import type { FoundBy, PageOutline } from '../model/page.ts';
import type { Spot } from '../model/spot.ts';
import type { RememberedTerms } from '../model/uses.ts';

/** The file that a page was read from. */
export interface PageFile {
  /** Its SHA-256, base64url; empty if unknown. */
  readonly file: string;
  readonly bytes?: number | undefined;
  /** When a publish first saw these bytes, even if it found nothing else new. */
  readonly modifiedMs?: number | undefined;
}

export interface PageRecord extends PageFile {
  readonly url: string;
  readonly extractor: string;
  /** The record as in the file, with its line end. */
  readonly line: Uint8Array;
}

/** The stored pages of a site. */
export interface KnownPages {
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** Only for a live site. */
  readonly foundBy?: FoundBy;
  /** The rules by which the pages were read, the newest first; absent if there never were any. */
  readonly rules?: readonly GivenRules[] | undefined;
  /** Only for a live site: the number of the next look; absent if looks are not counted. */
  readonly look?: number | undefined;
}

export interface PagesFile extends KnownPages {
  /** How many changes the log held when this file was written. */
  readonly log: number;
  /** Marks that each dialect left for its next publish, by their keys in the header. Each dialect decodes its own marks. */
  readonly marks: Marks;
  /** No section has its text in this file. */
  readonly isTextless?: boolean;
}

export type Marks = Readonly<Record<string, unknown>>;

/** What the next request of a live page needs. */
export interface PageVisit {
  readonly etag?: string;
  readonly lastModified?: string;
  /** The number of links from the base to this page, if links were followed. */
  readonly clicks?: number;
  /** Linked URLs that are not pages. */
  readonly deadLinks?: readonly string[];
  /** The end of the page was never seen; it may have been truncated in transit. */
  readonly isCut?: true;
  /** When the page appeared on a site whose other pages were already known. */
  readonly cameMs?: number;
  /** How often the page was missing, or was another page, and then came back. */
  readonly wavers?: number;
  /** Absent if an earlier version wrote the record, or if the terms were not read. */
  readonly terms?: RememberedTerms;
}

const FORMAT = 'pages/1';
/** The format whose first line names the files that hold the pages. */
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

/** The first line. `body` says what follows it, or where the pages are. */
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

/** A live page always has `visit`, even an empty one. */
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

/** The line marks of all parts in one text, a third of the size of a list. */
function linesOf({ preambleLines, sections }: PageOutline): string | undefined {
  const parts = [preambleLines, ...sections.map(({ lines }) => lines)];
  return parts.includes(undefined) ? undefined : parts.join('.');
}

/** The record with more known about its file. Nothing else is decoded or encoded. */
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

/** Anchor, checksum and body; the text of a short section follows them. */
const WITHOUT_TEXT = 3;

/** The fields before the extractor, exactly as JSON writes them. */
function startOf({ file, bytes, modifiedMs }: PageFile): string {
  return `${JSON.stringify({ file, bytes, modified: modifiedMs }).slice(0, -1)},`;
}

/** The most recently decoded record: a page that is being compared is needed several times in a row. */
let decoded: { readonly line: Uint8Array; readonly page: PageOutline } | undefined;

export function decodePageRecord({ line }: PageRecord): PageOutline {
  if (decoded?.line !== line) decoded = { line, page: decodeLine(line) };
  return decoded.page;
}

function decodeLine(line: Uint8Array): PageOutline {
  // The digest of the file was correct, so encodePageRecord wrote this line.
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

/** The places where a page changed recently or changes repeatedly. Few pages have any; for the others nothing is decoded. */
export function decodePageSpots(record: PageRecord): readonly Spot[] {
  const line = Buffer.from(record.line.buffer, record.line.byteOffset, record.line.length);
  return line.includes(SPOTS) ? (decodePageRecord(record).spots ?? []) : [];
}

/** How JSON begins the list. Inside a text the quotes would be escaped. */
const SPOTS = ',"spots":[';

/** `visit` is the last field, so nothing else is decoded. */
export function decodePageVisit({ line }: PageRecord): PageVisit {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
  const at = bytes.lastIndexOf(VISIT);
  return at === -1 ? {} : (JSON.parse(`{${bytes.toString('utf8', at + 1)}`) as { readonly visit: PageVisit }).visit;
}

/** How JSON begins the field. Inside a text the quotes would be escaped. */
const VISIT = ',"visit":{';

/** Longer than everything before the title in nearly every record. */
const RECORD_START_BYTES = 300;

/** URLs are plain ASCII, which Latin-1 decodes for free. Undefined if the line is not a record. */
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

/** The position after the line feed that ends the line at `start`; the end of the file if there is no line feed. */
export function endOfLine(file: Buffer, start: number): number {
  const lineFeed = file.indexOf(LINE_FEED, start);
  return lineFeed === -1 ? file.length : lineFeed + 1;
}

/** What the first line says. */
export interface PagesHead extends Pick<PagesFile, 'log' | 'marks' | 'foundBy' | 'look' | 'rules' | 'isTextless'> {
  readonly tidings: string;
  readonly pages: number;
  /** Of the pages that follow it. */
  readonly sha256: string;
  /** The names of the files that hold the pages, if they are not in this file. */
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

/** A name must not lead to another folder. */
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
