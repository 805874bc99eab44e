import type { WordPiece } from '../../diff/word-diff.ts';
import { type Html, html, outsideLines } from './html.ts';

/** A stretch of a compared text: what went is struck through, what came is underlined. */
export function wordHtml({ is, text }: WordPiece): Html {
  const shown = outsideLines(text);
  if (is === 'old') return html`<del>${shown}</del>`;
  return is === 'new' ? html`<ins>${shown}</ins>` : shown;
}
