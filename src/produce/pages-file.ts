/**
 * pages.ndjson: what a published site remembers of its pages, to say section by section what changes next.
 *
 *     {"tidings":"pages/1","log":3,"pages":1,"sha256":"…","feeds":[{"path":"ai-changes.ndjson","first":1}]}
 *     {"file":"…","extractor":"1","url":"https://docs.example/","title":"Home","checksum":"…","preamble":"…","sections":[["intro","…","…"]]}
 *
 * It is derived: the log is the truth, and a copy that lags behind the log is mended from it. Fingerprints are
 * base64url here, half the size of hex. The lines of pages that did not change stay bytes, so `file`, `extractor`
 * and `url` stand first, where they can be read without decoding the line. What a live page needs to be asked for again
 * stands last, as `visit`; the header of a live site says how its pages were found.
 */
import { hash } from 'node:crypto';
import type { FoundBy } from '../crawl/site-map-pages.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import type { PageOutline } from '../model/page.ts';
import type { FeedFile } from './feed-file.ts';

export interface PageRecord {
  readonly url: string;
  /** SHA-256 of the built file, base64url; empty when it is not known. */
  readonly file: string;
  readonly extractor: string;
  /** The record as it stands in the file, with its line end. */
  readonly line: Uint8Array;
}

export interface PagesFile {
  /** How many changes the log held when this was written. */
  readonly log: number;
  readonly feeds: readonly FeedFile[];
  readonly pages: ReadonlyMap<string, PageRecord>;
  /** Of a live site. */
  readonly foundBy?: FoundBy;
}

/** What the next visit of a live page wants to know. */
export interface PageVisit {
  readonly etag?: string;
  readonly lastModified?: string;
  /** How many links lead from the base to it, where links were followed. */
  readonly clicks?: number;
  /** Addresses that it links to and that are no pages. */
  readonly deadLinks?: readonly string[];
}

const FORMAT = 'pages/1';
const LINE_FEED = 10;
const REMEDY = 'Restore it from a backup, or delete it: the next publish rebuilds it from log.ndjson.';
const RECORD_START = /^\{"file":"([\w-]*)","extractor":"([^"\\]*)","url":"([^"\\]*)"/;

export function encodePagesFile({ log, feeds, pages, foundBy }: PagesFile): Uint8Array {
  const body = Buffer.concat(Array.from(pages.values(), ({ line }) => line));
  const header = { tidings: FORMAT, log, pages: pages.size, sha256: hash('sha256', body, 'hex'), feeds, foundBy };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

export function decodePagesFile(bytes: Uint8Array, name: string): PagesFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const bodyStart = endOfLine(file, 0);
  const header = decodeHeader(file.toString('utf8', 0, bodyStart), name);
  const pages = new Map<string, PageRecord>();
  let number = 2;
  for (let start = bodyStart; start < file.length; number += 1) {
    const line = file.subarray(start, endOfLine(file, start));
    const record = decodeRecordStart(line);
    if (record === undefined) throw new StateCorruptError(name, number, 'this is not a page record.', REMEDY);
    pages.set(record.url, record);
    start += line.length;
  }
  if (hash('sha256', file.subarray(bodyStart), 'hex') !== header.sha256 || pages.size !== header.pages) {
    const line = firstBrokenLine(file.toString('utf8', bodyStart));
    throw new StateCorruptError(name, line, 'the pages are not those that were written.', REMEDY);
  }
  const { log, feeds, foundBy } = header;
  return { log, feeds, pages, ...(foundBy !== undefined && { foundBy }) };
}

/** With `visit`, empty or not, of a live page. */
export function encodePageRecord(file: string, page: PageOutline, visit?: PageVisit): PageRecord {
  const { url, extractor, title } = page;
  const line = `${JSON.stringify({
    file,
    extractor,
    url,
    title,
    checksum: shorten(page.checksum),
    preamble: shorten(page.preamble),
    sections: page.sections.map(({ anchor, checksum, body }) => [anchor, shorten(checksum), shorten(body)]),
    visit,
  })}\n`;
  return { url, file, extractor, line: Buffer.from(line) };
}

export function decodePageRecord({ line }: PageRecord): PageOutline {
  // The digest over the file was right, so the line is one that encodePageRecord wrote.
  const record = JSON.parse(new TextDecoder().decode(line)) as Omit<PageOutline, 'sections'> & {
    sections: [string, string, string][];
  };
  return {
    url: record.url,
    title: record.title,
    extractor: record.extractor,
    checksum: lengthen(record.checksum),
    preamble: lengthen(record.preamble),
    sections: record.sections.map(([anchor, checksum, body]) => ({
      anchor,
      checksum: lengthen(checksum),
      body: lengthen(body),
    })),
  };
}

export function decodePageVisit({ line }: PageRecord): PageVisit {
  const { visit = {} } = JSON.parse(new TextDecoder().decode(line)) as { readonly visit?: PageVisit };
  return visit;
}

/** Longer than what stands before the title of nearly every page. */
const RECORD_START_BYTES = 300;

/** Addresses are plain ASCII, which Latin-1 reads at no cost. */
function decodeRecordStart(line: Buffer): PageRecord | undefined {
  const start =
    RECORD_START.exec(line.toString('latin1', 0, RECORD_START_BYTES)) ?? RECORD_START.exec(line.toString('latin1'));
  if (start === null) return undefined;
  const [, file = '', extractor = '', url = ''] = start;
  return { url, file, extractor, line };
}

/** Behind the line feed that ends the line at `start`; the end of the file when none does. */
function endOfLine(file: Buffer, start: number): number {
  const lineFeed = file.indexOf(LINE_FEED, start);
  return lineFeed === -1 ? file.length : lineFeed + 1;
}

interface Header {
  readonly tidings: string;
  readonly log: number;
  readonly pages: number;
  readonly sha256: string;
  readonly feeds: readonly FeedFile[];
  readonly foundBy?: FoundBy;
}

function decodeHeader(line: string, name: string): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(line) as Partial<Header> | null;
  } catch {
    throw new StateCorruptError(name, 1, 'the first line is not JSON.', REMEDY);
  }
  const format = header?.tidings;
  if (typeof format === 'string' && /^pages\/\d+$/.test(format) && format !== FORMAT) {
    throw new StateCorruptError(
      name,
      1,
      `it is in format "${format}", this Tidings knows "${FORMAT}".`,
      'Use a newer Tidings.',
    );
  }
  const { log, pages, sha256, feeds, foundBy } = header ?? {};
  if (
    format !== FORMAT ||
    typeof log !== 'number' ||
    typeof pages !== 'number' ||
    typeof sha256 !== 'string' ||
    !Array.isArray(feeds)
  ) {
    throw new StateCorruptError(name, 1, 'the first line does not say what this file is.', REMEDY);
  }
  const isKnownWay = foundBy === 'sitemaps' || foundBy === 'links';
  return { tidings: format, log, pages, sha256, feeds, ...(isKnownWay && { foundBy }) };
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
