import { inflateRawSync } from 'node:zlib';

/** A copy of pieces of the base, and the number of new characters after them. */
interface Step {
  readonly from: number;
  readonly count: number;
  readonly added: number;
}

const STEP = /^(\d+),(\d+),(\d+)$/;
/** zlib looks back no further. */
const WINDOW_CHARACTERS = 32 * 1024;

/**
 * Decodes a text of the archives of format 3 from its delta and its base. Both are split after each `}`; the first line gives for each step: the first piece
 * of the base, how many of them, and how many new characters follow.
 *
 * Throws where `delta` is damaged or of another base.
 */
export function decodeEarlierDelta(base: string, delta: Uint8Array): string {
  const plain = inflateRawSync(delta, { dictionary: dictionaryOf(base) }).toString();
  const end = plain.indexOf('\n');
  const pieces = piecesOf(base);
  const parts: string[] = [];
  let read = end + 1;
  for (const { from, count, added } of plain.slice(0, end).split(' ').map(decodeStep)) {
    if (from + count > pieces.length) throw new Error('The delta is of another text.');
    for (let at = from; at < from + count; at += 1) parts.push(pieces[at] ?? '');
    parts.push(plain.slice(read, read + added));
    read += added;
  }
  return parts.join('');
}

function decodeStep(text: string): Step {
  const [, from, count, added] = STEP.exec(text)?.map(Number) ?? [];
  if (from === undefined || count === undefined || added === undefined) throw new Error('The delta is damaged.');
  return { from, count, added };
}

/** How the base begins and ends. */
function dictionaryOf(base: string): Buffer {
  const half = WINDOW_CHARACTERS / 2;
  return Buffer.from(base.length <= WINDOW_CHARACTERS ? base : base.slice(-half) + base.slice(0, half));
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (let at = text.indexOf('}'); at >= 0; at = text.indexOf('}', start)) {
    pieces.push(text.slice(start, at + 1));
    start = at + 1;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}
