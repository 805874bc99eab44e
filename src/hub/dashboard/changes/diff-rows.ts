import type { SearchBudget } from '../../../diff/edits.ts';
import { diffWords, type WordPiece, wordBudget } from '../../../diff/word-diff.ts';
import type { Hunk } from '../../why/hunks.ts';
import { textLines } from '../../why/text-lines.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';

/** The shown part of two texts: each edit with some lines around it. */
export interface ShownDiff {
  readonly hunks: readonly ShownHunk[];
  /** Lines that differ and are not shown: there are too many. */
  readonly linesLeft: number;
}

export interface ShownHunk {
  /** Lines are counted from 1. */
  readonly beforeStart: number;
  readonly afterStart: number;
  readonly rows: readonly DiffRow[];
}

/** Lines that are the same, or some that gave way to others, word by word. Lines of one row are parted by `\n`. */
export type DiffRow =
  | { readonly is: 'same'; readonly text: string }
  | { readonly is: 'edited'; readonly words: readonly ShownPiece[]; readonly tooDifferent?: true };

/** `left`: the number of characters that are not shown. */
export type ShownPiece = WordPiece | { readonly is: 'left'; readonly characters: number };

export const SHOWN_DIFF_SCHEMA = objectSchema({
  hunks: listSchema(
    objectSchema({
      beforeStart: WHOLE_SCHEMA,
      afterStart: WHOLE_SCHEMA,
      rows: listSchema(
        objectSchema({
          is: { enum: ['same', 'edited'] },
          'text?': { type: 'string' },
          'words?': listSchema(
            objectSchema({
              is: { enum: ['same', 'old', 'new', 'left'] },
              'text?': { type: 'string' },
              'characters?': WHOLE_SCHEMA,
            }),
          ),
          'tooDifferent?': {
            const: true,
            description: 'true: both lines are shown whole, because they are too different for a comparison by words.',
          },
        }),
      ),
    }),
  ),
  linesLeft: { ...WHOLE_SCHEMA, description: 'Number of differing lines that are not shown.' },
});

/** The maximum of lines shown of one text, and so of one edit. */
export const MAX_LINES = 1000;
const MAX_CHARACTERS = 150_000;
/** For an unchanged piece, and for a changed one. */
const MAX_SAME = 500;
const MAX_EDITED = 20_000;

export function shownDiff(hunks: readonly Hunk[]): ShownDiff {
  const room: Room = { lines: MAX_LINES, characters: MAX_CHARACTERS, left: 0, budget: wordBudget() };
  const shown = hunks.flatMap(({ beforeStart, afterStart, lines, left = 0 }): ShownHunk[] => {
    room.left += left;
    const rows = rowsOf(lines, room);
    return rows.length === 0 ? [] : [{ beforeStart, afterStart, rows }];
  });
  return { hunks: shown, linesLeft: room.left };
}

/** All of a text that came or went. */
export function wholeDiff(text: string, is: 'old' | 'new'): ShownDiff {
  const sign = is === 'old' ? '-' : '+';
  const all = textLines(text);
  const lines = all.slice(0, MAX_LINES).map((line) => sign + line);
  return shownDiff([
    { beforeStart: 1, beforeLines: 0, afterStart: 1, afterLines: 0, lines, left: all.length - lines.length },
  ]);
}

/** How much may still be shown. */
interface Room {
  lines: number;
  characters: number;
  /** Lines that did not fit. */
  left: number;
  readonly budget: SearchBudget;
}

function rowsOf(lines: readonly string[], room: Room): DiffRow[] {
  const rows: DiffRow[] = [];
  for (let start = 0; start < lines.length; ) {
    const isSame = lines[start]?.startsWith(' ') === true;
    let end = start;
    while (end < lines.length && (lines[end]?.startsWith(' ') === true) === isSame) end += 1;
    const run = lines.slice(start, end);
    const row = isSame ? sameRow(run, room) : editedRow(run, room);
    if (row !== undefined) rows.push(row);
    start = end;
  }
  return rows.some(({ is }) => is === 'edited') ? rows : [];
}

function sameRow(lines: readonly string[], room: Room): DiffRow | undefined {
  if (room.lines <= 0 || room.characters <= 0) return undefined;
  room.lines -= lines.length;
  const text = lines.map((line) => cutLine(line.slice(1))).join('\n');
  room.characters -= text.length;
  return { is: 'same', text };
}

function cutLine(line: string): string {
  return line.length > MAX_SAME ? `${line.slice(0, MAX_SAME).toWellFormed()} …` : line;
}

function editedRow(lines: readonly string[], room: Room): DiffRow | undefined {
  const fits = room.characters <= 0 ? 0 : Math.max(0, room.lines);
  const textOf = (sign: string) => {
    const of = lines.filter((line) => line.startsWith(sign));
    room.left += Math.max(0, of.length - fits);
    const shown = of.slice(0, fits);
    room.lines -= shown.length;
    return shown.map((line) => line.slice(1)).join('\n');
  };
  const [before, after] = [textOf('-'), textOf('+')];
  if (before === '' && after === '' && fits === 0) return undefined;
  const { words, tooDifferent } = diffWords(before, after, room.budget);
  const shown = words.flatMap((piece, index) => shortened(piece, index === 0, index === words.length - 1));
  for (const piece of shown) if (piece.is !== 'left') room.characters -= piece.text.length;
  return { is: 'edited', words: shown, ...(tooDifferent && { tooDifferent }) };
}

/** An unchanged piece keeps its ends next to the edits; a changed one keeps its beginning. */
function shortened(piece: WordPiece, isFirst: boolean, isLast: boolean): ShownPiece[] {
  const { is, text } = piece;
  if (is === 'same' && text.length > 2 * MAX_SAME) {
    const start = isFirst ? '' : text.slice(0, MAX_SAME).toWellFormed();
    const end = isLast ? '' : text.slice(-MAX_SAME).toWellFormed();
    const middle = { is: 'left', characters: text.length - start.length - end.length } as const;
    const parts: ShownPiece[] = [{ is, text: start }, middle, { is, text: end }];
    return parts.filter((part) => part.is === 'left' || part.text !== '');
  }
  if (text.length <= MAX_EDITED) return [piece];
  const start = text.slice(0, MAX_EDITED).toWellFormed();
  return [
    { is, text: start },
    { is: 'left', characters: text.length - start.length },
  ];
}
