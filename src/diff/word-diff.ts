import { editsOf, type SearchBudget, searchBudget } from './edits.ts';

/** A piece of text that both versions have, or only one of them. */
export interface WordPiece {
  readonly is: 'same' | 'old' | 'new';
  readonly text: string;
}

export interface WordDiff {
  /** The old and common pieces form the old text, the new and common pieces the new text. */
  readonly words: readonly WordPiece[];
  /** They are shown as a whole: comparing them word by word would take too long or show nothing useful. */
  readonly tooDifferent?: true;
}

/** The words of a page are compared in some milliseconds; see docs/adr/0077-a-change-seen.md. */
const MAX_WORD_EDITS = 200;
/** The maximum length of the differing parts of two texts, without their common start and end. */
const MAX_CHARACTERS = 100_000;
/** Common starts and ends are cut at a space if one is this near. */
const NEAR_CHARACTERS = 100;
/** With less in common, equal words are a coincidence. */
const LEAST_SHARED = 0.3;
/** For shorter texts the difference is obvious. */
const MANY_CHARACTERS = 500;

export function wordBudget(): SearchBudget {
  return searchBudget(MAX_WORD_EDITS);
}

/** The removed and the added words. The budget bounds the time; several comparisons may share it. */
export function diffWords(before: string, after: string, budget: SearchBudget = wordBudget()): WordDiff {
  const { start, end } = commonEnds(before, after);
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const isLong = left.length + right.length > MAX_CHARACTERS;
  const middle = isLong ? replaced(left, right) : calmed(comparedWords(left, right, budget));
  const words = joined([
    { is: 'same', text: before.slice(0, start) },
    ...middle,
    { is: 'same', text: end === 0 ? '' : before.slice(-end) },
  ]);
  if (isAlike(words, Math.max(before.length, after.length)) || left === '' || right === '') return { words };
  const isObvious = before.length + after.length < MANY_CHARACTERS;
  return { words: joined(replaced(before, after)), ...(!isObvious && { tooDifferent: true }) };
}

function replaced(before: string, after: string): WordPiece[] {
  return [
    { is: 'old', text: before },
    { is: 'new', text: after },
  ];
}

/** The number of characters at the common start and the common end; avoids splitting a word if its end is near. */
function commonEnds(before: string, after: string): { readonly start: number; readonly end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (start === before.length && start === after.length) return { start, end: 0 };
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const space = before.slice(Math.max(0, start - NEAR_CHARACTERS), start).search(/\s\S*$/);
  start = space === -1 ? Math.max(0, start - NEAR_CHARACTERS) : Math.max(0, start - NEAR_CHARACTERS) + space + 1;
  const behind = end === 0 ? -1 : before.slice(-end).slice(0, NEAR_CHARACTERS).search(/\s/);
  end = behind === -1 ? Math.max(0, end - NEAR_CHARACTERS) : end - behind;
  return { start, end };
}

/** Scripts without spaces between words: they are compared by characters. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{sc=${name}}`)
  .join('');
const WORDS = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+|\\n|[^\\S\\n]+|[\\s\\S]`, 'gu');

function comparedWords(before: string, after: string, budget: SearchBudget): WordPiece[] {
  const [left, right] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []];
  const pieces: WordPiece[] = [];
  let place = 0;
  const text = (words: readonly string[], start: number, end: number) => words.slice(start, end).join('');
  for (const { from, to, at, until } of editsOf(left, right, budget)) {
    pieces.push({ is: 'same', text: text(left, place, from) });
    pieces.push({ is: 'old', text: text(left, from, to) }, { is: 'new', text: text(right, at, until) });
    place = to;
  }
  return [...pieces, { is: 'same', text: text(left, place, left.length) }];
}

/** Text that is not a word between two edited words is treated as part of both. */
function calmed(pieces: readonly WordPiece[]): WordPiece[] {
  return pieces.flatMap((piece, index): WordPiece[] => {
    const isBetween =
      index > 0 && index < pieces.length - 1 && piece.is === 'same' && !/[\p{L}\p{N}]/u.test(piece.text);
    return isBetween && !piece.text.includes('\n') ? replaced(piece.text, piece.text) : [piece];
  });
}

/** Puts old before new in each run of edits, each as one piece. */
function joined(pieces: readonly WordPiece[]): WordPiece[] {
  const found: WordPiece[] = [];
  let [old, now] = ['', ''];
  const flush = () => {
    if (old !== '') found.push({ is: 'old', text: old });
    if (now !== '') found.push({ is: 'new', text: now });
    [old, now] = ['', ''];
  };
  for (const { is, text } of pieces) {
    if (text === '') continue;
    if (is === 'old') old += text;
    else if (is === 'new') now += text;
    else {
      flush();
      found.push({ is, text });
    }
  }
  flush();
  return found;
}

function isAlike(words: readonly WordPiece[], longest: number): boolean {
  const shared = words.reduce((sum, { is, text }) => (is === 'same' ? sum + text.length : sum), 0);
  return shared >= LEAST_SHARED * longest;
}
