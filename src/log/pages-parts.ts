/**
 * pages.ndjson of a large site: one line that names the parts which hold its pages, so that an edit writes little more than itself.
 *
 *     {"tidings":"pages/2","log":3,"pages":20000,"parts":["9f2c…","01ab…"],"feeds":[…]}
 *
 * Part `9f2c…` is the file `pages-9f2c….ndjson` in the same folder. It never changes: its name is the digest of its bytes. Its lines are those of a
 * pages.ndjson. A later part overrides earlier ones, and `{"gone":"https://docs.example/old"}` removes a page.
 */
import { hash } from 'node:crypto';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import {
  decodePagesFile,
  decodePagesHead,
  decodeRecordStart,
  encodePagesFile,
  encodePagesHead,
  endOfLine,
  PAGES_REMEDY,
  PARTED_FORMAT,
  type PageRecord,
  type PagesFile,
} from './pages-file.ts';

export interface PagesPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** In file order; undefined for a removed page. */
  readonly said: readonly (readonly [url: string, record: PageRecord | undefined])[];
}

/** The files that hold the pages of a site: `head` is pages.ndjson. */
export interface PagesLayout {
  readonly head: Uint8Array;
  /** Every part that it names. */
  readonly parts: readonly PagesPart[];
}

export interface PagesLimits {
  /** Up to this size, all pages are in pages.ndjson itself. */
  readonly wholeBytes: number;
  /** The maximum size of a part, unless a single line is longer. */
  readonly partBytes: number;
}

export function pagesPartPath(name: string): string {
  return `pages-${name}.ndjson`;
}

/** `parts` must be the parts that the head names, in the same order. */
export function decodePagesLayout({ head, parts }: PagesLayout, name: string): PagesFile {
  const { tidings, pages: count, log, marks, foundBy, look, rules, isTextless } = decodePagesHead(head, name);
  if (tidings !== PARTED_FORMAT) return decodePagesFile(head, name);
  const pages = pagesIn(parts);
  if (pages.size !== count) throw new StateCorruptError(name, 'its parts hold other pages.', PAGES_REMEDY);
  return { log, marks, pages, look, rules, isTextless, ...(foundBy !== undefined && { foundBy }) };
}

/** `file` is the name of the file in error messages. */
export function decodePagesPart(name: string, bytes: Uint8Array | undefined, file: string): PagesPart {
  if (bytes === undefined || digestOf(bytes) !== name) {
    const what = bytes === undefined ? 'it is not there.' : 'the pages are not those that were written.';
    throw new StateCorruptError(file, what, PAGES_REMEDY);
  }
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const said: (readonly [string, PageRecord | undefined])[] = [];
  for (let start = 0; start < lines.length; ) {
    const line = lines.subarray(start, endOfLine(lines, start));
    const record = decodeRecordStart(line);
    const url = record?.url ?? GONE.exec(line.toString('latin1'))?.[1];
    if (url === undefined) throw new StateCorruptError(file, 'this is not a page record.', PAGES_REMEDY);
    said.push([url, record]);
    start += line.length;
  }
  return { name, bytes, said };
}

/**
 * Lays out pages in files after existing parts. It does not repeat what they already say. To keep the number of parts small, small parts at the end
 * are merged into the new one, as is a part of which less than half is still valid.
 */
export function layOutPages(file: PagesFile, before: readonly PagesPart[], limits: PagesLimits): PagesLayout {
  let bytes = 0;
  for (const { line } of file.pages.values()) bytes += line.length;
  if (bytes <= limits.wholeBytes) return { head: encodePagesFile(file), parts: [] };

  const unsaid = unsaidLines(file.pages, before);
  const kept = unsaid.length === 0 ? before : keptParts(file.pages, { before, unsaid }, limits);
  const lines = kept.length === before.length ? unsaid : unsaidLines(file.pages, kept);
  const parts = [...kept, ...splitParts(lines, limits)];
  return { head: encodePagesHead(file, { tidings: PARTED_FORMAT, parts: parts.map(({ name }) => name) }), parts };
}

const GONE = /^\{"gone":"([^"\\]*)"\}\n$/;

function pagesIn(parts: readonly PagesPart[]): ReadonlyMap<string, PageRecord> {
  const pages = new Map<string, PageRecord>();
  for (const { said } of parts) {
    for (const [url, record] of said) {
      if (record === undefined) pages.delete(url);
      else pages.set(url, record);
    }
  }
  return pages;
}

type Line = readonly [url: string, record: PageRecord | undefined, line: Uint8Array];

/** The lines that are missing from the parts to describe these pages. */
function unsaidLines(pages: PagesFile['pages'], parts: readonly PagesPart[]): readonly Line[] {
  const known = pagesIn(parts);
  const lines: Line[] = [];
  for (const [url, record] of pages) if (known.get(url) !== record) lines.push([url, record, record.line]);
  for (const url of known.keys()) {
    if (!pages.has(url)) lines.push([url, undefined, Buffer.from(`${JSON.stringify({ gone: url })}\n`)]);
  }
  return lines;
}

/** A part is kept if it is more than this many times as large as the new data after it, or if this many of it exceed the maximum size. */
const STAYING_SHARE = 2;
const LIVE_SHARE = 0.5;

function keptParts(
  pages: PagesFile['pages'],
  { before, unsaid }: { readonly before: readonly PagesPart[]; readonly unsaid: readonly Line[] },
  { partBytes }: PagesLimits,
): readonly PagesPart[] {
  const live = before.map((part) => ({ part, bytes: liveBytes(part, pages) }));
  const poorest = live
    .filter(({ part, bytes }) => bytes < part.bytes.length * LIVE_SHARE)
    .reduce<(typeof live)[number] | undefined>(
      (least, each) => (least && least.bytes <= each.bytes ? least : each),
      undefined,
    );
  const kept = live.filter((each) => each !== poorest);
  let growing = unsaid.reduce((sum, [, , line]) => sum + line.length, poorest?.bytes ?? 0);
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    const { length } = last.part.bytes;
    if (length > growing * STAYING_SHARE || length * STAYING_SHARE > partBytes) break;
    growing += last.bytes;
    kept.pop();
  }
  return kept.map(({ part }) => part);
}

/** How many bytes of a part are still valid. */
function liveBytes({ said }: PagesPart, pages: PagesFile['pages']): number {
  let bytes = 0;
  for (const [url, record] of said) if (record !== undefined && pages.get(url) === record) bytes += record.line.length;
  return bytes;
}

function splitParts(lines: readonly Line[], { partBytes }: PagesLimits): readonly PagesPart[] {
  const parts: PagesPart[] = [];
  let open: Line[] = [];
  let size = 0;
  const close = () => {
    if (open.length === 0) return;
    const bytes = Buffer.concat(open.map(([, , line]) => line));
    parts.push({ name: digestOf(bytes), bytes, said: open.map(([url, record]) => [url, record] as const) });
    open = [];
    size = 0;
  };
  for (const line of lines) {
    if (size + line[2].length > partBytes) close();
    open.push(line);
    size += line[2].length;
  }
  close();
  return parts;
}

/** Long enough that no two parts share a name. */
const NAME_DIGITS = 32;

function digestOf(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').slice(0, NAME_DIGITS);
}
