import type { ShelfLinks } from '../../../dialects/shelf.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count } from '../../http/html-pieces.ts';
import { activityChart } from '../activity-chart.ts';
import { changeTable } from '../changes/change-line.ts';
import { copyable, emptyState, noSourceYet } from '../pieces.ts';
import { sourceRemedy } from '../sources/remedies.ts';
import { SOURCE_WORDS, type SourceWord } from '../sources/source-line.ts';
import { sourceLinesTable } from '../sources/source-table.ts';
import type { AskedView } from '../view.ts';
import type { OverviewFacts } from './overview-facts.ts';
import { runningNow } from './running-now.ts';

interface Around extends AskedView {
  readonly links: readonly ShelfLinks[];
  /** Where readers find the hub, with a final slash. */
  readonly baseUrl: string;
}

const WORDS: Readonly<Record<SourceWord, string>> = {
  ok: 'ok',
  degraded: 'degraded',
  error: 'in error',
  quiet: 'quiet',
  unstable: 'unstable',
  disabled: 'paused',
  pending: 'not read yet',
};

export function overviewHtml(facts: OverviewFacts, around: Around): Html {
  const { root } = around;
  return html`<h1>What changed on the web</h1>
${facts.writable ? NO_HTML : UNWRITABLE}<section id="states" data-live="${root}events" aria-label="Sources by state">
<ul class="cards">
<li><a href="${root}sources"><b>${count(facts.sources)}</b> <span>${facts.sources === 1 ? 'source' : 'sources'}</span></a></li>
${SOURCE_WORDS.toReversed().map((word) => stateCard(word, facts, root))}<li><a href="${root}search"><b>${count(facts.changes)}</b> <span>${facts.changes === 1 ? 'change' : 'changes'}</span></a></li>
</ul>
</section>
<section id="attention" data-live="${root}events">
${attention(facts, around)}</section>
<section id="activity" data-live="${root}events">
${activity(facts, root)}</section>
${runningNow(facts.jobs, root)}
<section id="recent" data-live="${root}events">
<h2>Last changes</h2>
${facts.recent.length === 0 ? emptyState('Nothing has changed yet.') : changeTable(facts.recent, `The newest ${facts.recent.length}. New ones appear by themselves.`, root)}
</section>
<h2>Feeds</h2>
${feeds(around)}`;
}

const UNWRITABLE = html`<p class="warning"><b>The hub cannot write to its disk.</b> What is here stays readable; nothing new is kept until there is room.</p>
`;

function stateCard(word: SourceWord, { states }: OverviewFacts, root: string): Html {
  const number = states[word];
  if (number === 0 && word !== 'ok' && word !== 'error') return NO_HTML;
  return html`<li><a href="${root}sources?state=${word}"><b class="${number > 0 ? word : ''}">${count(number)}</b> <span>${WORDS[word]}</span></a></li>
`;
}

function attention({ attention: lines, sources }: OverviewFacts, around: Around): Html {
  if (sources === 0) return noSourceYet(around);
  if (lines.length === 0) return NO_HTML;
  return html`<h2>Needs somebody</h2>
${sourceLinesTable(lines, 'The worst first.', { root: around.root, below: (line) => sourceRemedy(line, around) })}`;
}

function activity({ activity: shown, busiest, changes }: OverviewFacts, root: string): Html {
  if (shown === undefined || changes === 0) return NO_HTML;
  const sources = busiest.map(
    ({ source, changes }) =>
      html`<li><a href="${root}sources/${encodeURIComponent(source)}">${outsideText(source)}</a> <span class="faint">${count(changes)}</span></li>`,
  );
  return html`${activityChart(shown, root)}${busiest.length === 0 ? NO_HTML : html`<div class="heading"><h3>Busiest sources</h3><ul class="choice">${sources}</ul></div>`}`;
}

const OTHER_FEEDS: ShelfLinks['feeds'] = [
  [{ words: 'By cursor', path: 'api/v1/changes?after={id}&source={source}', href: 'api/v1/changes' }],
  [{ words: 'As it happens', path: 'events?source={source}' }],
  [{ words: 'A page as a document', path: 'doc?url={url}' }],
];

/** Links are relative, so that they work under any name of the hub. */
function feeds({ links, baseUrl, root }: Around): Html {
  const lines = [...links.flatMap((each) => each.feeds), ...OTHER_FEEDS].flat();
  const discovery = links.flatMap((each) => each.discovery ?? []);
  return html`<table class="feeds">
<caption>For machines: every change, in every dialect.</caption>
<thead><tr><th scope="col">Feed</th><th scope="col">Address</th></tr></thead>
<tbody>
${lines.map((feed) => feedRow(feed, { baseUrl, root }))}</tbody>
</table>
<p class="faint">Discovery: ${discovery.map(({ words, path }, at) => html`${at > 0 ? ' · ' : ''}<a href="${root}${path}">${words}</a>`)}</p>`;
}

type FeedLink = ShelfLinks['feeds'][number][number];

function feedRow({ words, path, href }: FeedLink, { baseUrl, root }: Pick<Around, 'baseUrl' | 'root'>): Html {
  const target = href ?? (path.includes('{') ? undefined : path);
  const name = capital(words ?? 'Feed');
  const link = target === undefined ? html`${name}` : html`<a href="${root}${target}">${name}</a>`;
  return html`<tr><td>${link}</td><td>${copyable(`${baseUrl}${path}`)}</td></tr>
`;
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
