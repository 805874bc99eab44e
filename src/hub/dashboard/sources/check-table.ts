import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import type { CheckLine } from './source-facts.ts';

const MAX_WORDS = 500;
const BADGES = { ok: 'ok', fallback: 'degraded', error: 'error' } as const;

/** Checks with what they came to and what they cost, the newest first. */
export function checkTable(checks: readonly CheckLine[]): Html {
  return html`<table class="checks">
<caption>${counted(checks.length, 'check')}, the newest first.</caption>
<thead><tr><th scope="col">When</th><th scope="col">Outcome</th><th scope="col" class="number">Took</th><th scope="col" class="number">Pages</th><th scope="col" class="number">Not read</th><th scope="col" class="number">Changes</th><th scope="col">Remarks</th></tr></thead>
<tbody>
${checks.map(checkRow)}</tbody>
</table>`;
}

function checkRow({ at, outcome, tookMs, pages, unread, changes, code, error, notes = [] }: CheckLine): Html {
  const number = (label: string, value: number | undefined) =>
    html`<td class="number" data-label="${label}">${value === undefined ? NO_HTML : count(value)}</td>`;
  const words = error ?? code;
  return html`<tr><td>${timeHtml(Date.parse(at))}</td><td>${badge(BADGES[outcome])}</td><td class="number" data-label="took">${tookWords(tookMs)}</td>${number('pages', pages)}${number('not read', unread)}${number('changes', changes)}<td>${words !== undefined && html`<p>${outsideText(words, MAX_WORDS)}</p>`}${notes.map((note) => html`<p class="faint">${outsideText(note, MAX_WORDS)}</p>`)}</td></tr>
`;
}

function tookWords(ms: number): string {
  return ms < 1000 ? `${count(Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}
