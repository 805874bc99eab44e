import { decodeEvent, MAX_LINE_LENGTH } from '../../../codecs/aicf/decode.ts';
import type { AicfEvent } from '../../../codecs/aicf/wire.ts';
import { createLineSplitter, decodeLine, lineHash, type NdjsonLine } from '../../../codecs/primitives/ndjson.ts';
import type { FeedPosition } from './aicf-memory.ts';

/** A decoded line of a feed: an event, the beginning of one, or why it is not one. Blank lines are skipped. */
export type FeedRecord =
  | { readonly kind: 'event'; readonly event: AicfEvent; readonly line: NdjsonLine & { readonly kind: 'line' } }
  /** The last line, which the publisher may still be writing (T-AICF-9). */
  | { readonly kind: 'torn' }
  | { readonly kind: 'bad'; readonly clause: string; readonly message: string; readonly line: NdjsonLine };

export type Lines = AsyncGenerator<readonly NdjsonLine[], void>;

/** The lines of a body, in batches as they arrive. If the body breaks, a partial line is dropped. */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  from: { readonly start: number; readonly number: number },
): Lines {
  const splitter = createLineSplitter({ maxLineBytes: MAX_LINE_LENGTH, ...from });
  for await (const piece of body) yield splitter.push(piece);
  const rest = splitter.end();
  if (rest !== undefined) yield [rest];
}

/** The lines after the known one, or undefined if that is no longer at its place: then this is another file. Everything before it is skipped unread. */
export async function linesAfter(lines: Lines, known: FeedPosition): Promise<Lines | undefined> {
  for (let batch = await lines.next(); !batch.done; batch = await lines.next()) {
    const index = batch.value.findIndex(({ start }) => start >= known.lineStart);
    if (index === -1) continue;
    if (!isKnown(batch.value[index], known)) break;
    return unread(startingWith(batch.value.slice(index + 1), lines), known.readTo);
  }
  await lines.return();
  return undefined;
}

async function* unread(lines: Lines, readTo: number): Lines {
  for await (const batch of lines) yield batch.filter(({ start }) => start > readTo);
}

export async function* startingWith(first: readonly NdjsonLine[], rest: Lines): Lines {
  yield first;
  yield* rest;
}

/** Undefined for a blank line. An unterminated last line counts only if it is a complete event, or cannot become one. */
export function readLine(line: NdjsonLine): FeedRecord | undefined {
  if (line.kind === 'too-long') {
    const message = `The line has ${line.length} bytes; at most ${MAX_LINE_LENGTH} are read.`;
    return { kind: 'bad', clause: 'AICF-F4', message, line };
  }
  const text = decodeLine(line.bytes);
  if (text?.trim() === '') return undefined;
  const decoded = text === undefined ? undefined : decodeEvent(text);
  if (decoded?.ok) return { kind: 'event', event: decoded.value, line };
  if (!line.terminated && text !== undefined && isBeginningOfObject(text)) return { kind: 'torn' };
  const issue = decoded?.issues[0] ?? { clause: 'AICF-F4', message: 'The line is not UTF-8.' };
  return { kind: 'bad', ...issue, line };
}

function isBeginningOfObject(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

export function positionOf(line: NdjsonLine & { readonly kind: 'line' }, readTo: number): FeedPosition {
  return {
    lineStart: line.start,
    lineBytes: line.bytes.length,
    lineHash: lineHash(line.bytes),
    lineNumber: line.number,
    readTo,
  };
}

function isKnown(line: NdjsonLine | undefined, known: FeedPosition): boolean {
  return (
    line?.kind === 'line' &&
    line.start === known.lineStart &&
    line.bytes.length === known.lineBytes &&
    lineHash(line.bytes) === known.lineHash
  );
}
