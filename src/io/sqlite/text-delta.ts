import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { decodeNumbers, encodeNumbers } from './packed-numbers.ts';
import { HASH_BYTES, takeHashes, withHashes } from './text-hashes.ts';

/** A copy of pieces of the base, and the number of new characters after them. */
interface Step {
  from: number;
  count: number;
  added: number;
}

/** The characters before and after which a piece ends. */
export interface Cuts {
  readonly before?: string;
  readonly behind: string;
}

/** Shorter pieces are found everywhere: to say from where takes more room than they do. */
const LEAST_PIECE = 16;
/** How much of the base the compressor knows: its beginning, and the text around copied pieces. */
const BEGINNING_CHARACTERS = 2 * 1024;
const NEIGHBOURS = 3;
const MOST_NEIGHBOUR_CHARACTERS = 24 * 1024;

/**
 * A text as what it has in common with another one, which must be at hand when it is read again.
 *
 * Both are split into pieces; those of the base are named by their numbers. New text is deflated, with the pieces of the base next to the copied ones as a
 * dictionary: new text resembles what it replaces. Hashes cannot be compressed and are stored separately.
 *
 *     how many numbers follow · for each step: from (as a way from where the last one ended), count, new characters · how many hashes
 *     the hashes · the new characters, deflated
 */
export class TextDelta {
  readonly #cuts: Cuts;

  /** What is stored needs the same cuts again. */
  constructor(cuts: Cuts) {
    this.#cuts = cuts;
  }

  encode(base: string, text: string): Uint8Array {
    const pieces = this.#piecesOf(base);
    const { steps, added } = stepsTo(this.#piecesOf(text), pieces);
    const dictionary = knownText(base, pieces, steps);
    const { plain, hashes } = takeHashes(added, dictionary);
    const numbers = [...numbersOf(steps), hashes.length / HASH_BYTES];
    const packed = deflateRawSync(plain, { level: 9, dictionary: Buffer.from(dictionary) });
    return Buffer.concat([encodeNumbers([numbers.length, ...numbers]), hashes, packed]);
  }

  /** Throws where `delta` is damaged or of another base. */
  decode(base: string, delta: Uint8Array): string {
    const pieces = this.#piecesOf(base);
    const { steps, hashes, rest } = readDelta(delta);
    if (steps.some(({ from, count }) => from < 0 || from + count > pieces.length)) {
      throw new Error('The delta is of another text.');
    }
    const dictionary = Buffer.from(knownText(base, pieces, steps));
    const added = withHashes(inflateRawSync(rest, { dictionary }).toString(), hashes);
    const parts: string[] = [];
    let read = 0;
    for (const step of steps) {
      for (let at = step.from; at < step.from + step.count; at += 1) parts.push(pieces[at] ?? '');
      parts.push(added.slice(read, read + step.added));
      read += step.added;
    }
    if (read !== added.length) throw new Error('The delta is damaged.');
    return parts.join('');
  }

  #piecesOf(text: string): string[] {
    const { before, behind } = this.#cuts;
    const placeOf = (character: string | undefined, from: number) => {
      const place = character === undefined ? -1 : text.indexOf(character, from);
      return place < 0 ? text.length : place;
    };
    const pieces: string[] = [];
    let [opening, closing] = [placeOf(before, 1), placeOf(behind, 0)];
    for (let start = 0; start < text.length; ) {
      const end = Math.min(opening, closing + 1, text.length);
      pieces.push(text.slice(start, end));
      start = end;
      if (opening <= start) opening = placeOf(before, start + 1);
      if (closing < start) closing = placeOf(behind, start);
    }
    return pieces;
  }
}

function stepsTo(
  text: readonly string[],
  base: readonly string[],
): { readonly steps: readonly Step[]; readonly added: string } {
  const placeOf = new Map<string, number>();
  for (const [at, piece] of base.entries()) placeOf.set(piece, at);
  const added: string[] = [];
  let step: Step = { from: 0, count: 0, added: 0 };
  let replaced = 0;
  const steps = [step];
  for (const piece of text) {
    // Whether the texts continue alike after a new piece.
    const next = step.from + step.count + replaced;
    const from = base[next] === piece ? next : piece.length < LEAST_PIECE ? undefined : placeOf.get(piece);
    if (from === undefined) {
      added.push(piece);
      step.added += piece.length;
      replaced += 1;
    } else if (step.added === 0 && from === step.from + step.count) {
      step.count += 1;
    } else {
      step = { from, count: 1, added: 0 };
      replaced = 0;
      steps.push(step);
    }
  }
  return { steps, added: added.join('') };
}

function numbersOf(steps: readonly Step[]): number[] {
  let end = 0;
  return steps.flatMap(({ from, count, added }) => {
    const way = from - end;
    end = from + count;
    return [way < 0 ? -2 * way - 1 : 2 * way, count, added];
  });
}

interface ReadDelta {
  readonly steps: readonly Step[];
  readonly hashes: Uint8Array;
  readonly rest: Uint8Array;
}

function readDelta(delta: Uint8Array): ReadDelta {
  const head = decodeNumbers(delta, 1);
  const body = decodeNumbers(delta.subarray(head.end), head.numbers[0] ?? 0);
  const numbers = body.numbers.slice(0, -1);
  const steps: Step[] = [];
  let last = 0;
  for (let at = 0; at < numbers.length; at += 3) {
    const [way = 0, count = 0, added = 0] = numbers.slice(at, at + 3);
    const from = last + (way % 2 === 1 ? -(way + 1) / 2 : way / 2);
    steps.push({ from, count, added });
    last = from + count;
  }
  const start = head.end + body.end;
  const end = start + (body.numbers.at(-1) ?? 0) * HASH_BYTES;
  return { steps, hashes: delta.subarray(start, end), rest: delta.subarray(end) };
}

/** The text that what is new is packed with: the nearest comes last. */
function knownText(base: string, pieces: readonly string[], steps: readonly Step[]): string {
  const places = new Set<number>();
  for (const { from, count } of steps) {
    for (const middle of [from, from + count]) {
      for (let at = middle - NEIGHBOURS; at < middle + NEIGHBOURS; at += 1) if (at in pieces) places.add(at);
    }
  }
  let text = base.slice(0, BEGINNING_CHARACTERS);
  for (const at of places) if (text.length < MOST_NEIGHBOUR_CHARACTERS) text += pieces[at] ?? '';
  return text;
}
