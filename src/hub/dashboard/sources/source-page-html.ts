import { type Html, type HtmlHole, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import { mayAct } from '../../sign-in/viewer.ts';
import { activityChart } from '../activity-chart.ts';
import { changeTable, outside } from '../changes/change-line.ts';
import { checkPath } from '../check/check-page.ts';
import { copyable, emptyState } from '../pieces.ts';
import type { AskedView } from '../view.ts';
import { checkStrip } from './check-strip.ts';
import { checkTable } from './check-table.ts';
import { heldBack } from './held-back.ts';
import { honestySection } from './honesty-section.ts';
import { remedyAction, sourceRemedy } from './remedies.ts';
import { type SourceAction, sourceButton } from './source-actions.ts';
import type { SourceFacts, SourceFeedLine, SourcePause } from './source-facts.ts';
import { settingsSection } from './source-settings.ts';

const MAX_TITLE = 200;
const MAX_REASON = 500;

export function sourcePageHtml(facts: SourceFacts, asked: AskedView): Html {
  const { source, recent, feeds, settings } = facts;
  const { root } = asked;
  const here = `${root}sources/${encodeURIComponent(source.id)}`;
  return html`<h1 id="name" data-live="${root}events">${outsideText(source.title, MAX_TITLE)} ${badge(source.word)}</h1>
<p class="faint">${outside(source.address)} · <code>${outsideText(source.id)}</code> · ${source.kind}</p>
<section id="now" data-live="${root}events">
${source.remarks.map((remark) => html`<p class="remark">${outsideText(remark, MAX_REASON)}</p>\n`)}${facts.pauses.map(shownPause)}${sourceRemedy(source, asked)}${actions(facts, asked)}${summary(facts)}
</section>
<section id="health" data-live="${root}events">
<h2>Health over time</h2>
${facts.stretches.length === 0 ? emptyState('It was not checked yet.') : checkStrip(facts.stretches)}
</section>
<section id="changes" data-live="${root}events">
${facts.activity !== undefined && recent.length > 0 && activityChart(facts.activity, here)}<h2>Last changes</h2>
${recent.length === 0 ? emptyState('Nothing of it has changed yet.') : changeTable(recent, `The newest ${recent.length}.`, root)}
<p><a href="${here}/pages">Its pages and their sections</a> · <a href="${root}search?source=${encodeURIComponent(source.id)}">Search in it</a>${facts.asks.urls[0] !== undefined && html` · <a href="${checkPath(root, facts.asks.urls[0])}">Check its change feeds</a>`}</p>
</section>
<h2>Feeds</h2>
<table class="feeds">
<caption>What changes in it, in every dialect.</caption>
<thead><tr><th scope="col">Feed</th><th scope="col">Address</th></tr></thead>
<tbody>
${feeds.map((feed) => feedRow(feed, root))}</tbody>
</table>
${heldBack(facts)}${honestySection(facts)}${facts.checks.length === 0 ? NO_HTML : html`<section id="checks">\n<h2>Checks</h2>\n${checkTable(facts.checks)}\n</section>`}
${settings === undefined ? NO_HTML : settingsSection(settings)}`;
}

/** The actions of the viewer, without the one that the remedy has a button for. */
function actions({ source, pauses, settings }: SourceFacts, { root, viewer }: AskedView): Html {
  if (settings === undefined) return NO_HTML;
  const isPaused = pauses.some(({ by }) => by !== 'host');
  const isOurs = settings.origin === 'api';
  const wanted: readonly (SourceAction | false)[] = [
    !isPaused && 'check',
    pauses.length > 0 && 'resume',
    isPaused && 'allow-deletes',
    !isPaused && 'pause',
  ];
  const place = { id: source.id, root, viewer };
  const edit = html`<a class="button" href="${root}sources/${encodeURIComponent(source.id)}/edit">Edit</a>`;
  return html`<div class="actions">${wanted.map((action) => action && action !== remedyAction(source) && sourceButton(action, place))}${isOurs && mayAct(viewer, 'operate') && edit}${isOurs && sourceButton('remove', place)}</div>
`;
}

const PAUSED_BY: Readonly<Record<Exclude<SourcePause['by'], 'host'>, string>> = {
  operator: 'Paused by the operator',
  owner: 'Paused by the owner of its API key',
  domain: 'Paused by the owner of its domain',
  key: 'Paused by the hub',
};

function shownPause(pause: SourcePause): Html {
  if (pause.by === 'host') {
    return html`<p class="pause">${outsideText(pause.host ?? '')} asked to be left in peace until ${timeAt(pause.until)}.</p>\n`;
  }
  const reason = pause.reason === undefined ? NO_HTML : html`: ${outsideText(pause.reason, MAX_REASON)}`;
  return html`<p class="pause"><b>${PAUSED_BY[pause.by]}</b>${reason}</p>\n`;
}

function summary(facts: SourceFacts): Html {
  const { source, rhythm, ladder, websub, terms } = facts;
  return html`<dl class="facts">
${line('Who is asked', askedAddresses(facts.asks))}${line('Last check', timeAt(source.lastCheckAt, 'not yet'))}${line('Last change', timeAt(source.lastChangeAt, 'none yet'))}${line('Next look', timeAt(rhythm.nextCheckAt, 'when it is resumed'))}${line('Rhythm', rhythmWords(facts))}${ladder && line('Read by', ladderWords(ladder))}${websub && line('WebSub', webSubWords(websub))}${terms && line('Use of its pages', termsWords(terms.uses))}${line('Watched since', timeAt(facts.addedAt))}</dl>`;
}

function askedAddresses({ urls, more }: SourceFacts['asks']): Html {
  const links = urls.map((url, at) => html`${at > 0 ? ', ' : ''}${outside(url)}`);
  return html`${links.length === 0 ? 'A folder of this machine' : links}${more > 0 && ` and ${count(more)} more`}`;
}

function line(name: string, value: HtmlHole): Html {
  return html`<dt>${name}</dt><dd>${value}</dd>\n`;
}

function timeAt(time: string | undefined, otherwise = ''): Html {
  return time === undefined ? html`${otherwise}` : timeHtml(Date.parse(time));
}

function rhythmWords({ rhythm: { everySeconds, isGiven, restSeconds } }: SourceFacts): string {
  const how = isGiven ? ', as its settings say' : '; it adapts to how often it changes';
  const rest = restSeconds === undefined ? '' : ` While a hub tells of its news: every ${spanWords(restSeconds)}.`;
  return `Every ${spanWords(everySeconds)}${how}.${rest}`;
}

/** To two digits that matter: `90 seconds`, `15 minutes`, `36 hours`, `7 days`. */
function spanWords(seconds: number): string {
  const [unit, size] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
    ] as const
  ).find(([, many]) => seconds >= 2 * many) ?? ['second', 1];
  return counted(Math.round(seconds / size), unit);
}

function ladderWords({ readBy, dialect, since, turns, reason }: NonNullable<SourceFacts['ladder']>): Html {
  const what =
    readBy === 'feed'
      ? html`its feed (${outsideText(dialect ?? '')})`
      : dialect === undefined
        ? html`its pages; it has no feed that can be read`
        : html`its pages; its feed (${outsideText(dialect)}) cannot be followed`;
  const often = turns === 0 ? '' : ` It went to and fro ${counted(turns, 'time')}.`;
  return html`${what}, since ${timeAt(since)}.${often}${reason === undefined ? NO_HTML : html` ${outsideText(reason, MAX_REASON)}`}`;
}

const WEBSUB_WORDS = {
  active: 'A hub tells of its news',
  pending: 'Its feed names a hub, which is being asked',
  denied: 'The hub of its feed refused',
  failed: 'The hub of its feed cannot be used',
} as const;

function webSubWords(websub: NonNullable<SourceFacts['websub']>): Html {
  const { state, trusted, hub, lastPush, leaseUntil, misses = 0, reason, retryAt } = websub;
  return html`${WEBSUB_WORDS[state]}${trusted ? ', and is relied upon' : ''}.${hub !== undefined && html` ${outside(hub)}`}${lastPush !== undefined && html` Last told ${timeAt(lastPush)}.`}${leaseUntil !== undefined && html` Until ${timeAt(leaseUntil)}.`}${misses > 0 && ` It kept silent ${counted(misses, 'time')}.`}${reason !== undefined && html` ${outsideText(reason, MAX_REASON)}`}${retryAt !== undefined && html` Asked again ${timeAt(retryAt)}.`}`;
}

const USES = { search: 'search', 'ai-input': 'answers of models', 'ai-train': 'training of models' } as const;

function termsWords(uses: NonNullable<SourceFacts['terms']>['uses']): string {
  const said = (['search', 'ai-input', 'ai-train'] as const).flatMap((name) =>
    uses[name] === undefined ? [] : `${USES[name]}: ${uses[name]}`,
  );
  return said.length === 0 ? 'Its publisher says nothing of it.' : `Its publisher says: ${said.join(', ')}.`;
}

function feedRow({ words, path, url }: SourceFeedLine, root: string): Html {
  return html`<tr><td><a href="${root}${path}">${outsideText(words)}</a></td><td>${copyable(url)}</td></tr>\n`;
}
