import { FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import type { HttpResponse } from '../../../fetch/http-client.ts';
import {
  conditionalHeaders,
  contentRange,
  maxAgeMs,
  mediaType,
  validatorsOf,
} from '../../../fetch/response-headers.ts';
import { warn } from '../../diagnostic.ts';
import type { ReaderPorts } from '../../reader.ts';
import { refusal } from '../../refusal.ts';
import type { FeedPosition, KnownFeed } from './aicf-memory.ts';
import type { ReadFeedFile } from './feed-events.ts';
import { linesAfter, linesOf } from './feed-lines.ts';

export type Tail =
  | { readonly kind: 'unchanged'; readonly maxAgeMs: number | undefined }
  | { readonly kind: 'file'; readonly file: ReadFeedFile }
  /** The file is not the known one. */
  | { readonly kind: 'another-file' };

/** Feeds are read as a stream, so size costs time but no memory. */
export const MAX_FEED_BYTES = 1024 * 1024 * 1024;
/** Feeds may be long and are read as they come. */
const DEADLINE_MS = 5 * 60_000;
const FILE_START = { start: 0, number: 1 };

/** The current file from its start. */
export async function openFeed(url: string, ports: ReaderPorts): Promise<ReadFeedFile> {
  const response = await get(url, {}, ports);
  if (response.status !== 200) throw await refusal(response, url, ports);
  return fileOf(url, response, ports);
}

/** An earlier file from its start; undefined, with a warning, if the publisher no longer has it. */
export async function openArchive(url: string, ports: ReaderPorts): Promise<ReadFeedFile | undefined> {
  const response = await get(url, {}, ports);
  if (response.status === 200) return { ...fileOf(url, response, ports), isArchive: true };
  const error = await refusal(response, url, ports);
  if (response.status !== 404 && response.status !== 410) throw error;
  warn(
    ports,
    'gap',
    `${url}: AICF-P6: this earlier file of the feed is gone (${response.status}). Its events may be missing.`,
  );
  return undefined;
}

/** What was added after the known line (AICF-C6): only the new bytes, if the server supports Range. */
export async function openTail({ url, position, validators }: KnownFeed, ports: ReaderPorts): Promise<Tail> {
  // An old ETag in If-Range would always miss on a file that grew. With If-None-Match, an unchanged file gives 304.
  const range = position && { range: `bytes=${position.lineStart}-`, 'accept-encoding': 'identity' };
  const response = await get(url, { ...conditionalHeaders(validators), ...range }, ports);
  switch (response.status) {
    case 304:
      await response.discard();
      return { kind: 'unchanged', maxAgeMs: maxAgeMs(response.headers) };
    case 200:
      if (position === undefined) return { kind: 'file', file: fileOf(url, response, ports) };
      return fileAfter(position, fileOf(url, response, ports));
    case 206:
      if (position !== undefined) return partAfter(position, url, response, ports);
      break;
    case 416:
      await response.discard();
      return { kind: 'another-file' };
  }
  throw await refusal(response, url, ports);
}

async function partAfter(
  position: FeedPosition,
  url: string,
  response: HttpResponse,
  ports: ReaderPorts,
): Promise<Tail> {
  const part = contentRange(response.headers);
  // A range of compressed bytes says nothing about the lines.
  if (part?.start !== position.lineStart || response.headers['content-encoding'] !== undefined) {
    await response.discard();
    return { kind: 'another-file' };
  }
  const lines = linesOf(response.body, { start: part.start, number: position.lineNumber });
  const file = { ...fileOf(url, response, ports), lines };
  // A part that stops early leaves more to read under the same ETag.
  return fileAfter(position, part.end + 1 === part.size ? file : { ...file, validators: {} });
}

async function fileAfter(position: FeedPosition, file: ReadFeedFile): Promise<Tail> {
  const lines = await linesAfter(file.lines, position);
  return lines === undefined ? { kind: 'another-file' } : { kind: 'file', file: { ...file, lines, after: position } };
}

function fileOf(url: string, response: HttpResponse, ports: ReaderPorts): ReadFeedFile {
  const type = mediaType(response.headers);
  if (type !== FEED_MEDIA_TYPE) {
    const message = `${url}: AICF-F1: it is served as ${type ?? 'nothing'}, not ${FEED_MEDIA_TYPE}; read all the same.`;
    warn(ports, 'media-type', message);
  }
  return {
    url,
    lines: linesOf(response.body, FILE_START),
    validators: validatorsOf(response.headers),
    maxAgeMs: maxAgeMs(response.headers),
    isArchive: false,
  };
}

function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  { http, signal }: ReaderPorts,
): Promise<HttpResponse> {
  const accept = { accept: `${FEED_MEDIA_TYPE}, */*;q=0.1` };
  return http.get({
    url: new URL(url),
    headers: { ...accept, ...headers },
    maxBodyBytes: MAX_FEED_BYTES,
    deadlineMs: DEADLINE_MS,
    signal,
  });
}
