import { decodePageRecord, type PageRecord } from './pages-file.ts';

/** Longer than everything up to the end of the title in nearly every record. */
const START_BYTES = 1000;
const TITLE = /^\{[^{}[\]]*?"url":"[^"\\]*","title":("(?:[^"\\]|\\.)*")/;

/** The title of a page. It is near the beginning of the record, so the sections of most pages are not decoded. */
export function recordTitle(record: PageRecord): string {
  const { line } = record;
  const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, START_BYTES)).toString('utf8');
  const [, title] = TITLE.exec(start) ?? [];
  return title === undefined ? decodePageRecord(record).title : (JSON.parse(title) as string);
}
