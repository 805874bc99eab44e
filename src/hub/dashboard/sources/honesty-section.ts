import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, counted, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import type { SourceFacts } from './source-facts.ts';

const MAX_SHOWN = 20;

const NOT_YET = html`<section id="honesty">
<h2>Honesty</h2>
<p>Nobody has compared its feed with its pages yet.</p>
</section>
`;

/** Whether the feed told the truth about a few pages. Empty if there is no feed. */
export function honestySection({ honesty, source, ladder }: SourceFacts): Html {
  if (honesty === undefined) return source.kind === 'feed' || ladder?.readBy === 'feed' ? NOT_YET : NO_HTML;
  const { at, sampled, compared, toldAndTrue, toldNotSeen, seenNotTold, pages = [] } = honesty;
  const next = compared === 0 ? ` The next look compares ${counted(sampled, 'page')}.` : '';
  return html`<section id="honesty">
<h2>Honesty</h2>
<p>Does its feed tell what its pages show? Looked at ${timeHtml(Date.parse(at))}: ${counted(compared, 'page')} compared.${next}</p>
<ul class="cards">
<li><b class="ok">${count(toldAndTrue)}</b> <span>told and true</span></li>
<li><b class="${toldNotSeen > 0 ? 'error' : ''}">${count(toldNotSeen)}</b> <span>told, not seen</span></li>
<li><b class="${seenNotTold > 0 ? 'error' : ''}">${count(seenNotTold)}</b> <span>seen, not told</span></li>
</ul>
${pages.length === 0 ? NO_HTML : findings(pages)}
</section>
`;
}

type Findings = NonNullable<NonNullable<SourceFacts['honesty']>['pages']>;

function findings(pages: Findings): Html {
  return html`<table>
<caption>Pages with findings.</caption>
<thead><tr><th scope="col">Page</th><th scope="col">Verdict</th><th scope="col">Told</th><th scope="col">Seen</th></tr></thead>
<tbody>
${pages.slice(0, MAX_SHOWN).map(({ url, verdict, told, seen }) => html`<tr><td>${outside(url)}</td><td>${outsideText(verdict)}</td><td data-label="told">${words(told)}</td><td data-label="seen">${words(seen)}</td></tr>\n`)}</tbody>
</table>`;
}

function words(said: readonly string[]): Html[] {
  return said.slice(0, MAX_SHOWN).map((one) => html`<p>${outsideText(one)}</p>`);
}
