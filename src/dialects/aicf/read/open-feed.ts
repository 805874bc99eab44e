import { FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import type { HttpResponse } from '../../../fetch/http-client.ts';
import {
  conditionalHeaders,
  contentRange,
  maxAgeMs,
  mediaType,
  validatorsOf,
} from '../../../fetch/response-headers.ts';
import type { FeedPosition, KnownFeed } from '../../../follow/follow-state.ts';
import { MAX_FEED_BYTES, type Reading, refusal, warn } from '../../../follow/read/reading.ts';
import type { FeedFile } from './feed-events.ts';
import { linesAfter, linesOf } from './feed-lines.ts';

export type Tail =
  | { readonly kind: 'unchanged'; readonly maxAgeMs: number | undefined }
  | { readonly kind: 'file'; readonly file: FeedFile }
  /** What stands there is not the file that we know. */
  | { readonly kind: 'another-file' };

/** Feeds may be long and are read as they come. */
const DEADLINE_MS = 5 * 60_000;
const FILE_START = { start: 0, number: 1 };

/** The current file from its start. */
export async function openFeed(url: string, reading: Reading): Promise<FeedFile> {
  const response = await get(url, {}, reading);
  if (response.status !== 200) throw await refusal(response, url, reading);
  return fileOf(url, response, reading);
}

/** An earlier file from its start; undefined, with a warning, when the publisher no longer has it. */
export async function openArchive(url: string, reading: Reading): Promise<FeedFile | undefined> {
  const response = await get(url, {}, reading);
  if (response.status === 200) return { ...fileOf(url, response, reading), isArchive: true };
  const error = await refusal(response, url, reading);
  if (response.status !== 404 && response.status !== 410) throw error;
  warn(
    reading,
    'gap',
    `${url}: AICF-P6: this earlier file of the feed is gone (${response.status}). Its events may be missing.`,
  );
  return undefined;
}

/** What was added behind the known line (AICF-C6): the new bytes only, where the server has Range. */
export async function openTail({ url, position, validators }: KnownFeed, reading: Reading): Promise<Tail> {
  // An old ETag in If-Range would always miss on a file that grew. If-None-Match answers 304 for one that did not.
  const range = position && { range: `bytes=${position.lineStart}-`, 'accept-encoding': 'identity' };
  const response = await get(url, { ...conditionalHeaders(validators), ...range }, reading);
  switch (response.status) {
    case 304:
      await response.discard();
      return { kind: 'unchanged', maxAgeMs: maxAgeMs(response.headers) };
    case 200:
      if (position === undefined) return { kind: 'file', file: fileOf(url, response, reading) };
      return fileAfter(position, fileOf(url, response, reading));
    case 206:
      if (position !== undefined) return partAfter(position, url, response, reading);
      break;
    case 416:
      await response.discard();
      return { kind: 'another-file' };
  }
  throw await refusal(response, url, reading);
}

async function partAfter(position: FeedPosition, url: string, response: HttpResponse, reading: Reading): Promise<Tail> {
  const part = contentRange(response.headers);
  // A range of compressed bytes says nothing about the lines.
  if (part?.start !== position.lineStart || response.headers['content-encoding'] !== undefined) {
    await response.discard();
    return { kind: 'another-file' };
  }
  const lines = linesOf(response.body, { start: part.start, number: position.lineNumber });
  const file = { ...fileOf(url, response, reading), lines };
  // A part that stops early leaves more to read under the same ETag.
  return fileAfter(position, part.end + 1 === part.size ? file : { ...file, validators: {} });
}

async function fileAfter(position: FeedPosition, file: FeedFile): Promise<Tail> {
  const lines = await linesAfter(file.lines, position);
  return lines === undefined ? { kind: 'another-file' } : { kind: 'file', file: { ...file, lines, after: position } };
}

function fileOf(url: string, response: HttpResponse, reading: Reading): FeedFile {
  const type = mediaType(response.headers);
  if (type !== FEED_MEDIA_TYPE) {
    const message = `${url}: AICF-F1: it is served as ${type ?? 'nothing'}, not ${FEED_MEDIA_TYPE}; read all the same.`;
    warn(reading, 'media-type', message);
  }
  return {
    url,
    lines: linesOf(response.body, FILE_START),
    validators: validatorsOf(response.headers),
    maxAgeMs: maxAgeMs(response.headers),
    isArchive: false,
  };
}

function get(url: string, headers: Readonly<Record<string, string>>, { http, signal }: Reading): Promise<HttpResponse> {
  const accept = { accept: `${FEED_MEDIA_TYPE}, */*;q=0.1` };
  return http.get({
    url: new URL(url),
    headers: { ...accept, ...headers },
    maxBodyBytes: MAX_FEED_BYTES,
    deadlineMs: DEADLINE_MS,
    signal,
  });
}
