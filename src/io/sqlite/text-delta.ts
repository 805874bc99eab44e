import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A copy of pieces of the base, and how many characters of the text behind them are new. */
interface Step {
  from: number;
  count: number;
  added: number;
}

const STEP = /^(\d+),(\d+),(\d+)$/;
/** zlib looks back no further. */
const WINDOW_CHARACTERS = 32 * 1024;

/**
 * A text as what it has in common with another one, which must be at hand when it is read again.
 *
 * Both are cut behind each `}`, so that what is moved in JSON is found again. The first line says, for each step: from which
 * piece of the base, how many of them, and how many new characters stand behind them. All new characters follow.
 */
export function encodeDelta(base: string, text: string): Uint8Array {
  const { steps, added } = stepsTo(text, piecesOf(base));
  const plan = steps.map(({ from, count, added: length }) => `${from},${count},${length}`).join(' ');
  return deflateRawSync(`${plan}\n${added}`, { level: 9, dictionary: dictionaryOf(base) });
}

/** Throws where `delta` is damaged or of another base. */
export function decodeDelta(base: string, delta: Uint8Array): string {
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

function stepsTo(text: string, pieces: readonly string[]): { readonly steps: readonly Step[]; readonly added: string } {
  const placeOf = new Map<string, number>();
  for (const [at, piece] of pieces.entries()) placeOf.set(piece, at);
  const added: string[] = [];
  let step: Step = { from: 0, count: 0, added: 0 };
  const steps = [step];
  for (const piece of piecesOf(text)) {
    if (step.added === 0 && step.count > 0 && pieces[step.from + step.count] === piece) {
      step.count += 1;
      continue;
    }
    const from = placeOf.get(piece);
    if (from === undefined) {
      added.push(piece);
      step.added += piece.length;
      continue;
    }
    step = { from, count: 1, added: 0 };
    steps.push(step);
  }
  return { steps, added: added.join('') };
}

function decodeStep(text: string): Step {
  const [, from, count, added] = STEP.exec(text)?.map(Number) ?? [];
  if (from === undefined || count === undefined || added === undefined) throw new Error('The delta is damaged.');
  return { from, count, added };
}

/** How the base begins and ends: new pieces are much like those. */
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
