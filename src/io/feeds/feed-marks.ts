/**
 * How far each feed is written, in one small file that is replaced as a whole:
 *
 *     {"marks":1,"seq":1234,"id":"01J3Z6A6M7A0CAXT3M5N8P2Q4R","synced":true}
 *     ["_all",183201,1234,"01J3Z6A6M7A0CAXT3M5N8P2Q4R",1755771300000,3735928559,2,9120,305419896]
 *     ["docs",91233,1230,"01J3Z6A6M6ZZ9QF3K7R1V5W8XY",1755771200000,195948557,0,0,0]
 *     [2596996162]
 *
 * `base` is present if the log was cut, `finished` if the feeds take no more lines. A line per feed: name; bytes, `seq`, last id, last time and CRC-32 of what
 * is written; segments, bytes and CRC-32 of its gzip form. The last line is the CRC-32 of those above.
 */

import { open, readFile, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { GzipState } from './feed-gzip.ts';

/** How far a feed is written. */
export interface WrittenFeed {
  readonly bytes: number;
  /** The `seq` of the last change that it took into account. */
  readonly seq: number;
  /** The id of its last line. */
  readonly lastId: string;
  readonly lastTimeMs: number;
  readonly crc: number;
}

export const NOTHING_WRITTEN: WrittenFeed = { bytes: 0, seq: 0, lastId: '', lastTimeMs: 0, crc: 0 };

export interface FeedMark {
  readonly name: string;
  readonly written: WrittenFeed;
  readonly gzip: GzipState;
}

export interface FeedMarks {
  /** The newest change that every feed has, and its id. */
  readonly seq: number;
  readonly id: string;
  /** Behind which `seq` the log began that the feeds are derived from. */
  readonly base: number;
  /** Whether the bytes that the marks speak of are known to be on the disk, not only on their way to it. */
  readonly synced: boolean;
  /** Whether the feeds take no more lines. */
  readonly finished?: true;
  readonly feeds: readonly FeedMark[];
}

/** Undefined when there are none, or none that can be trusted. */
export async function readFeedMarks(file: string): Promise<FeedMarks | undefined> {
  try {
    return decode(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Temp, fsync, rename: a reader finds the marks before or after. */
export async function writeFeedMarks(file: string, marks: FeedMarks): Promise<void> {
  const temporary = `${file}.next`;
  const handle = await open(temporary, 'w', 0o644);
  try {
    await handle.writeFile(encode(marks));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

export async function removeFeedMarks(file: string): Promise<void> {
  await rm(file, { force: true });
}

function encode({ seq, id, base, synced, finished, feeds }: FeedMarks): string {
  const lines = [JSON.stringify({ marks: 1, seq, id, ...(base > 0 && { base }), synced, finished })];
  for (const { name, written, gzip } of feeds) {
    const { bytes, seq, lastId, lastTimeMs, crc } = written;
    lines.push(JSON.stringify([name, bytes, seq, lastId, lastTimeMs, crc, gzip.segments, gzip.bytes, gzip.crc]));
  }
  const text = `${lines.join('\n')}\n`;
  return `${text}[${crc32(text)}]\n`;
}

/** What has the right checksum was written by us and is read without further doubt. */
function decode(text: string): FeedMarks | undefined {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const body = text.slice(0, end);
  if (text.slice(end) !== `[${crc32(body)}]\n`) return undefined;
  const [header = '', ...lines] = body.split('\n').slice(0, -1);
  const { marks, seq, id, base = 0, synced, finished } = JSON.parse(header);
  if (marks !== 1) return undefined;
  return { seq, id, base, synced, ...(finished === true && { finished }), feeds: lines.map(decodeFeed) };
}

function decodeFeed(line: string): FeedMark {
  const [name, bytes, seq, lastId, lastTimeMs, crc, segments, gzipBytes, gzipCrc] = JSON.parse(line);
  return {
    name,
    written: { bytes, seq, lastId, lastTimeMs, crc },
    gzip: { segments, bytes: gzipBytes, crc: gzipCrc },
  };
}
