import type { WordPiece } from '../../diff/word-diff.ts';
import { type Html, html, outsideLines } from './html.ts';

/** A piece of a compared text: removed text is struck through, new text is underlined. */
export function wordHtml({ is, text }: WordPiece): Html {
  const shown = outsideLines(text);
  if (is === 'old') return html`<del>${shown}</del>`;
  return is === 'new' ? html`<ins>${shown}</ins>` : shown;
}
