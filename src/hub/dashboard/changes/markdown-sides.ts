import { diffWords, type WordPiece } from '../../../diff/word-diff.ts';
import type { Html } from '../../http/html.ts';
import { leafText, type ReadMarkdown, readMarkdown, type WordMarks } from './markdown-html.ts';

/** Two versions of a text as they read, each with the words that the other does not have marked. */
export interface MarkdownSides {
  readonly before: Html;
  readonly after: Html;
  /** No word is marked: all would be. */
  readonly tooDifferent?: true;
}

/** Compared is what reads, not how it is written: a word that became bold is the same word. */
export function markdownSides(before: string, after: string, base: string): MarkdownSides {
  const [old, now] = [readMarkdown(before, base), readMarkdown(after, base)];
  const { words, tooDifferent } = diffWords(plainText(old), plainText(now));
  if (tooDifferent) return { before: old.show(), after: now.show(), tooDifferent };
  return { before: old.show(marksOf(old, words, 'old')), after: now.show(marksOf(now, words, 'new')) };
}

/** Blocks are parted by line ends, so that no word goes from one to the next. */
function plainText({ leaves }: ReadMarkdown): string {
  return leaves.map((block) => block.map(leafText).join('')).join('\n');
}

function marksOf({ leaves }: ReadMarkdown, words: readonly WordPiece[], own: 'old' | 'new'): WordMarks {
  const ofSide = words.filter(({ is }) => is === 'same' || is === own);
  const reader = new PieceReader(ofSide.map(({ is, text }) => ({ text, isMarked: is === own })));
  const pieces = new Map(
    leaves.flatMap((block) => {
      const marked = block.map((leaf) => [leaf, reader.take(leafText(leaf).length)] as const);
      reader.take(1);
      return marked;
    }),
  );
  return { element: own === 'old' ? 'del' : 'ins', pieces };
}

interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Gives pieces of a text one after another, cut where they are asked for. */
class PieceReader {
  readonly #pieces: readonly Piece[];
  #index = 0;
  #offset = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  take(characters: number): readonly Piece[] {
    const taken: Piece[] = [];
    for (let left = characters; left > 0; ) {
      const piece = this.#pieces[this.#index];
      if (piece === undefined) break;
      const text = piece.text.slice(this.#offset, this.#offset + left);
      taken.push({ text, isMarked: piece.isMarked });
      left -= text.length;
      this.#offset += text.length;
      if (this.#offset >= piece.text.length) [this.#index, this.#offset] = [this.#index + 1, 0];
    }
    return taken;
  }
}
