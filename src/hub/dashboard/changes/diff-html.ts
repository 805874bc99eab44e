import { type Html, html, NO_HTML, outsideLines } from '../../http/html.ts';
import { count, counted } from '../../http/html-pieces.ts';
import { wordHtml } from '../../http/word-html.ts';
import type { DiffRow, ShownDiff, ShownHunk, ShownPiece } from './diff-rows.ts';

/** How two texts are shown: beside each other, one within the other, or as they read. */
export type DiffLook = 'side' | 'inline' | 'rendered';

export const DIFF_LOOKS: readonly DiffLook[] = ['side', 'inline', 'rendered'];

const LOOK_WORDS: Readonly<Record<DiffLook, string>> = {
  side: 'Side by side',
  inline: 'Inline',
  rendered: 'As it reads',
};

/** Links from one look to the others. */
export function looksNav(current: DiffLook, linkTo: (look: DiffLook) => string): Html {
  return html`<nav class="looks" aria-label="How it is shown"><ul>${DIFF_LOOKS.map((look) => {
    const mark = look === current ? html` aria-current="true"` : NO_HTML;
    return html`<li><a href="${linkTo(look)}"${mark}>${LOOK_WORDS[look]}</a></li>`;
  })}</ul></nav>`;
}

/** The words that went are struck through and said to be so, those that came underlined: colour is not all there is. */
export function diffHtml({ hunks, linesLeft }: ShownDiff, look: 'side' | 'inline'): Html {
  const more =
    linesLeft === 0 ? NO_HTML : html`<p class="faint">${counted(linesLeft, 'more line')} differ and are not shown.</p>`;
  return look === 'side' ? html`${sideTable(hunks)}${more}` : html`${hunks.map(inlineHunk)}${more}`;
}

function sideTable(hunks: readonly ShownHunk[]): Html {
  return html`<table class="diff">
<caption class="hidden">Before and after, side by side</caption>
<thead><tr><th scope="col">Before</th><th scope="col">After</th></tr></thead>
${hunks.map((hunk) => html`<tbody>${linesRow(hunk)}${hunk.rows.map(sideRow)}</tbody>\n`)}</table>`;
}

function linesRow({ beforeStart, afterStart }: ShownHunk): Html {
  return html`<tr class="where"><td>Line ${count(beforeStart)}</td><td>Line ${count(afterStart)}</td></tr>`;
}

function sideRow(row: DiffRow): Html {
  if (row.is === 'same') {
    const text = outsideLines(row.text);
    return html`<tr class="same"><td dir="auto">${text}</td><td dir="auto">${text}</td></tr>`;
  }
  const side = (not: 'old' | 'new') => row.words.filter(({ is }) => is !== not).map(pieceHtml);
  return html`<tr><td dir="auto" data-label="Before">${side('new')}</td><td dir="auto" data-label="After">${side('old')}</td></tr>${tooDifferent(row, (words) => html`<tr class="where"><td colspan="2">${words}</td></tr>`)}`;
}

function inlineHunk(hunk: ShownHunk): Html {
  return html`<div class="inline-diff"><p class="where">Line ${count(hunk.afterStart)}</p>
${hunk.rows.map((row) =>
  row.is === 'same'
    ? html`<div class="same" dir="auto">${outsideLines(row.text)}</div>`
    : html`<div class="edit" dir="auto">${row.words.map(pieceHtml)}</div>${tooDifferent(row, (words) => html`<p class="where">${words}</p>`)}`,
)}</div>
`;
}

function tooDifferent(row: DiffRow, around: (words: string) => Html): Html {
  return row.is === 'edited' && row.tooDifferent
    ? around('Too different to compare word by word: both are shown whole.')
    : NO_HTML;
}

function pieceHtml(piece: ShownPiece): Html {
  if (piece.is === 'left') return html`<span class="where">… ${count(piece.characters)} characters …</span>`;
  return wordHtml(piece);
}
