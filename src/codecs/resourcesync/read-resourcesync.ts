import type { Result } from '../primitives/result.ts';
import type { Expected } from './document-head.ts';
import { DocumentReading, type ReadingLimits, type ResourceSyncPart } from './document-reading.ts';
import { LIMIT } from './issue.ts';
import { Utf8Pieces } from './utf8-pieces.ts';

export interface ReadResourceSyncOptions extends Expected, ReadingLimits {
  /** For the whole document, already decompressed. */
  readonly maxBytes?: number;
}

/**
 * The parser gets this much at a time, however large the incoming pieces are. Parts wait until they are taken: with larger pieces
 * the garbage collector finds them alive, and the heap grows.
 */
const PIECE_BYTES = 4 * 1024;

/**
 * Reads a document of any kind as it arrives, in memory that does not grow with it.
 *
 * Lenient with entries and strict with documents: a fault in an entry is a `problem`, and a document that is not well formed or of
 * the wrong kind ends with `refused`. Bad input never throws; errors of the stream do. A document may have as many problems as
 * entries, so a caller that collects them should set a limit.
 *
 * @example
 * for await (const part of readResourceSync(response.body, { capability: 'changelist' })) {
 *   if (part.kind === 'entry') console.log(part.entry.loc, part.entry.md.change);
 *   if (part.kind === 'refused') console.error(part.issue.line, part.issue.message);
 * }
 */
export async function* readResourceSync(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes = Infinity, ...options }: ReadResourceSyncOptions = {},
): AsyncGenerator<ResourceSyncPart, void, undefined> {
  const reading = new DocumentReading(options, options);
  const utf8 = new Utf8Pieces();
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > maxBytes) reading.refuse(LIMIT, `It is larger than ${maxBytes} bytes.`);
    for (let at = 0; at < piece.length && !reading.isOver; at += PIECE_BYTES) {
      writeTo(reading, utf8.decode(piece.subarray(at, at + PIECE_BYTES)));
      for (const part of reading.take()) yield part;
    }
    if (reading.isOver) break;
  }
  if (!reading.isOver) {
    writeTo(reading, utf8.end());
    reading.end();
  }
  for (const part of reading.take()) yield part;
}

function writeTo(reading: DocumentReading, text: Result<string>): void {
  if (!text.ok) reading.refuse(text.issues[0].clause, text.issues[0].message);
  else if (text.value !== '') reading.write(text.value);
}
