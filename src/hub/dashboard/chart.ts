import { type Html, html, NO_HTML } from '../http/html.ts';
import { count, counted } from '../http/html-pieces.ts';

/** How much there was in a stretch of time. */
export interface ChartBar {
  /** The day, the week or the month, as people read it. */
  readonly label: string;
  readonly value: number;
  /** How many of them are marked. */
  readonly marked?: number;
  /** Its details, shown on hover. */
  readonly note?: string;
}

export interface ChartWords {
  /** What is shown: `Changes per day`. */
  readonly title: string;
  /** What is counted. */
  readonly one: string;
  readonly many?: string;
  /** The name of the marked part: `refused`. */
  readonly marked?: string;
}

/** In units of the drawing, which is stretched to the width of the page. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;
/** Values above 0 stay visible. */
const LEAST = 2;

/**
 * Bars side by side, oldest first: a drawing without a script, a sentence that summarises it, and the numbers as a table.
 *
 * @example
 * barChart([{ label: '2026-03-01', value: 3 }], { title: 'Changes per day', one: 'change' });
 */
export function barChart(bars: readonly ChartBar[], words: ChartWords): Html {
  const most = bars.reduce((found, { value }) => Math.max(found, value), 0);
  const [first, last] = [bars[0]?.label, bars.at(-1)?.label];
  const summary = summaryOf(bars, words);
  return html`<figure class="chart">
<figcaption>${words.title} <span class="faint">· ${summary}</span></figcaption>
<svg role="img" aria-label="${`${words.title}. ${summary}`}" viewBox="0 0 ${Math.max(1, bars.length) * STEP} ${HEIGHT}" preserveAspectRatio="none">${bars.map((bar, at) => shownBar(bar, { at, most, words }))}</svg>
<p class="axis faint"><span>${first}</span>${first === last ? NO_HTML : html`<span>${last}</span>`}</p>
<details><summary>The numbers</summary>
<table>
<caption>${words.title}</caption>
<thead><tr><th scope="col">When</th><th scope="col" class="number">${upperFirst(words.many ?? `${words.one}s`)}</th>${words.marked === undefined ? NO_HTML : html`<th scope="col" class="number">${upperFirst(words.marked)}</th>`}</tr></thead>
<tbody>${bars.toReversed().map(({ label, value, marked }) => html`<tr><th scope="row">${label}</th><td class="number">${count(value)}</td>${words.marked === undefined ? NO_HTML : html`<td class="number">${count(marked ?? 0)}</td>`}</tr>\n`)}</tbody>
</table></details>
</figure>`;
}

interface Drawn {
  readonly at: number;
  readonly most: number;
  readonly words: ChartWords;
}

/** The whole column shows its number on hover, however low the bar is. */
function shownBar({ label, value, marked = 0, note }: ChartBar, { at, most, words }: Drawn): Html {
  const heightOf = (part: number) => (part === 0 ? 0 : Math.max(LEAST, Math.round((part / most) * HEIGHT)));
  const height = heightOf(value);
  const x = at * STEP;
  const top = html`<rect class="bar marked" x="${x + GAP / 2}" y="${HEIGHT - height}" width="${STEP - GAP}" height="${heightOf(marked)}"/>`;
  const said = marked > 0 ? `, ${count(marked)} ${words.marked ?? ''}` : '';
  return html`<g><title>${label}: ${counted(value, words.one, words.many)}${said}${note !== undefined && ` (${note})`}</title><rect class="column" x="${x}" y="0" width="${STEP}" height="${HEIGHT}"/><rect class="bar" x="${x + GAP / 2}" y="${HEIGHT - height}" width="${STEP - GAP}" height="${height}"/>${marked > 0 ? top : NO_HTML}</g>`;
}

function summaryOf(bars: readonly ChartBar[], { one, many }: ChartWords): string {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  if (total === 0) return `no ${many ?? `${one}s`}`;
  const top = bars.reduce((found, bar) => (bar.value > found.value ? bar : found));
  return `${counted(total, one, many)}; the busiest is ${top.label} with ${count(top.value)}`;
}

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
