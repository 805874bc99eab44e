import { groupUnits, type Unit } from './group-units.ts';
import type { MarkdownBlock } from './markdown-blocks.ts';

export interface CutOptions {
  readonly target: number;
  /** The maximum size of a piece. */
  readonly most: number;
  readonly countTokens: (text: string) => number;
}

/** A block as pieces that fit: itself, otherwise its lines in groups, with the fence or the header row repeated around each. */
export function cutBlock(block: MarkdownBlock, options: CutOptions): readonly Unit[] {
  const { most, countTokens } = options;
  const tokens = countTokens(block.text) + SEPARATOR;
  if (tokens <= most) return [{ text: block.text, tokens }];
  const { head, body, foot } = partsOf(block);
  const frame = countTokens(`${head}\n${foot}`) + SEPARATOR;
  // A frame that leaves no room is treated as plain text.
  if (frame > most / 2) return cutLines(block.text.split('\n'), options);
  const framed = ({ text }: Unit): Unit => {
    const whole = [head, text, foot].filter((part) => part !== '').join('\n');
    return { text: whole, tokens: countTokens(whole) + SEPARATOR };
  };
  const room = { ...options, most: most - frame, target: Math.min(options.target, most - frame) };
  return cutLines(body, room).map(framed);
}

/** What a blank line between two blocks costs at most. */
const SEPARATOR = 2;

interface BlockParts {
  readonly head: string;
  readonly body: readonly string[];
  readonly foot: string;
}

function partsOf({ kind, text }: MarkdownBlock): BlockParts {
  const lines = text.split('\n');
  if (kind === 'table') return { head: lines.slice(0, 2).join('\n'), body: lines.slice(2), foot: '' };
  if (kind === 'text') return { head: '', body: lines, foot: '' };
  const [head = ''] = lines;
  const closing = head.replace(/((?:`{3,}|~{3,})).*$/, '$1');
  const isClosed = lines.length > 1 && lines.at(-1)?.trim() === closing.trim();
  return { head, body: lines.slice(1, isClosed ? -1 : undefined), foot: closing };
}

function cutLines(lines: readonly string[], options: CutOptions): readonly Unit[] {
  const units = lines.flatMap((line) => cutLine(line, options));
  const groups = groupUnits(units, options);
  return groups.map((group) => {
    const text = group.map((unit) => unit.text).join('\n');
    return { text, tokens: group.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
}

/** Cuts a line that is too long at sentences, otherwise at words, otherwise anywhere. */
function cutLine(line: string, { most, countTokens }: CutOptions): readonly Unit[] {
  const tokens = countTokens(line) + LINE_END;
  if (tokens <= most) return [{ text: line, tokens }];
  const middle = breakNear(line, Math.floor(line.length / 2));
  const options = { target: most, most, countTokens };
  return [...cutLine(line.slice(0, middle), options), ...cutLine(line.slice(middle), options)];
}

const LINE_END = 1;
/** How far from the middle a better place is looked for. */
const NEAR = 400;

/** The end of a sentence near the middle, otherwise a space, otherwise the middle itself, but never inside a surrogate pair. */
function breakNear(line: string, middle: number): number {
  const from = Math.max(1, middle - NEAR);
  const around = line.slice(from, middle + NEAR);
  const wanted = middle - from;
  for (const sign of [/[.!?。！？](?=\s|\p{L})/gu, /\s(?=\S)/gu]) {
    const ends = Array.from(around.matchAll(sign), ({ index }) => index + 1).filter((at) => from + at < line.length);
    const best = ends.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
    if (best !== undefined) return from + best;
  }
  const code = line.charCodeAt(middle);
  return code >= 0xdc00 && code <= 0xdfff && middle > 1 ? middle - 1 : middle;
}
