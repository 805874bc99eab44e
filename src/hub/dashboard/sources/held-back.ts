import type { VolatileBlock } from '../../../model/volatile-parts.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { counted, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import type { SourceFacts } from './source-facts.ts';

const MAX_SHOWN = 100;

/** Which parts of the pages of a source are not reported, and why. Empty if everything is. */
export function heldBack({ volatile = [], unstable = [], settings }: SourceFacts): Html {
  const frame = settings?.notes.filter((note) => note.startsWith(FRAME)) ?? [];
  if (volatile.length + unstable.length + frame.length === 0) return NO_HTML;
  return html`<section id="held-back">
<h2>Held back</h2>
${frame.map((note) => html`<p>${outsideText(note, MAX_NOTE)}</p>\n`)}${volatile.length > 0 && volatileTable(volatile)}${unstable.length > 0 && unstablePages(unstable)}
</section>
`;
}

/** How the last check says that what repeats over the site has changed. */
const FRAME = 'frame: ';
const MAX_NOTE = 300;

function volatileTable(blocks: readonly VolatileBlock[]): Html {
  return html`<table>
<caption>Blocks that are different at most looks. Their changes are not told.${more(blocks)}</caption>
<thead><tr><th scope="col">Block</th><th scope="col">Where</th><th scope="col" class="number">Changed</th><th scope="col">Since</th></tr></thead>
<tbody>
${blocks.slice(0, MAX_SHOWN).map(blockRow)}</tbody>
</table>`;
}

function blockRow({ where, url, pages, changed, looks, since }: VolatileBlock): Html {
  const place = url === undefined ? counted(pages ?? 0, 'page') : outside(url);
  return html`<tr><td><code>${outsideText(where)}</code></td><td data-label="on">${place}</td><td class="number" data-label="changed">${changed} of ${counted(looks, 'look')}</td><td data-label="since">${timeHtml(Date.parse(since))}</td></tr>
`;
}

function unstablePages(urls: readonly string[]): Html {
  return html`<p>Pages whose whole text is another one at some looks, and the same again at others.${more(urls)}</p>
<ul>
${urls.slice(0, MAX_SHOWN).map((url) => html`<li>${outside(url)}</li>\n`)}</ul>`;
}

function more({ length }: readonly unknown[]): string {
  return length > MAX_SHOWN ? ` The first ${MAX_SHOWN} of ${length}.` : '';
}
