import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../codecs/primitives/time.ts';
import type { ShelfLinks, SourceFeed } from '../../dialects/shelf.ts';
import { quietSinceMs } from '../../follow/quiet.ts';
import type { Change } from '../../model/change.ts';
import { sourceAddress } from '../config/source-address.ts';
import { type HealthSummary, summarize } from '../health/health-report.ts';
import { statusWord } from '../health/source-status.ts';
import { foreignLink, foreignText } from '../http/html-text.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { HOME_STYLE } from './home-style.ts';

export interface HomeFacts {
  readonly sources: readonly WatchedSource[];
  /** Newest first. */
  readonly recent: readonly Change[];
  /** How many the log has. */
  readonly changes: number;
  /** Where readers find the hub, with a final slash. */
  readonly baseUrl: string;
  readonly isWritable: boolean;
  readonly nowMs: number;
  /** What each dialect offers. */
  readonly links: readonly ShelfLinks[];
  readonly feedsOf: (source: WatchedSource) => readonly SourceFeed[];
}

const MAX_SOURCES = 200;
const MAX_CHANGES = 50;
const MAX_NAME = 100;
const MAX_NOTE = 300;

/** Problems come first. */
const ORDER: Readonly<Record<RowWord, number>> = { error: 0, degraded: 1, quiet: 2, disabled: 3, pending: 4, ok: 5 };
type RowWord = SourceStatusWord | 'quiet' | 'pending';

interface Row {
  readonly source: WatchedSource;
  readonly word: RowWord;
  readonly feeds: readonly SourceFeed[];
}

/** The page of the hub: the same facts always give the same bytes. */
export function homeHtml(facts: HomeFacts): string {
  const rows = facts.sources.map((source) => ({ source, word: rowWord(source), feeds: facts.feedsOf(source) }));
  const summary = summarize(facts.sources.map(statusWord));
  const title = `Tidings hub: ${count(summary.ok + summary.degraded)} of ${count(summary.total)} sources healthy`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${facts.links.map(alternateLink).join('')}<style>${HOME_STYLE}</style>
</head>
<body>
<header>
<h1>Tidings hub</h1>
<p class="faint">What changed on the web, section by section.</p>
${facts.isWritable ? '' : UNWRITABLE}${countsList(rows, summary, facts.changes)}
</header>
<main>
<h2>Feeds</h2>
${feedsList(facts)}
<h2>Sources</h2>
${sourcesTable(rows, facts.nowMs)}
<h2>Last changes</h2>
${changesTable(facts.recent.slice(0, MAX_CHANGES))}
</main>
</body>
</html>
`;
}

const UNWRITABLE =
  '<p class="warning"><b>The hub cannot write to its disk.</b> What is here stays readable; nothing new is kept until there is room.</p>\n';

function countsList(rows: readonly Row[], summary: HealthSummary, changes: number): string {
  const quiet = rows.filter(({ word }) => word === 'quiet').length;
  const items = [
    `<li><b>${count(summary.total)}</b> ${summary.total === 1 ? 'source' : 'sources'}</li>`,
    `<li><b class="ok">${count(summary.ok)}</b> ok</li>`,
    `<li><b class="degraded">${count(summary.degraded)}</b> degraded</li>`,
    `<li><b class="error">${count(summary.error)}</b> in error</li>`,
    `<li><b class="disabled">${count(summary.disabled)}</b> disabled</li>`,
    `<li><b class="quiet">${count(quiet)}</b> quiet</li>`,
    `<li><b>${count(changes)}</b> ${changes === 1 ? 'change' : 'changes'}</li>`,
  ];
  return `<ul class="counts">\n${items.join('\n')}\n</ul>`;
}

function alternateLink({ alternate }: ShelfLinks): string {
  if (alternate === undefined) return '';
  const { mediaType, path } = alternate;
  return `<link rel="alternate" type="${mediaType}" title="All changes" href="${path}">\n`;
}

const OTHER_FEEDS: ShelfLinks['feeds'] = [
  [{ words: 'By cursor', path: 'api/v1/changes?after={id}&source={source}', href: 'api/v1/changes' }],
  [{ words: 'As it happens', path: 'events?source={source}' }],
  [{ words: 'A page as a document', path: 'doc?url={url}' }],
];
const OTHER_LINKS: readonly NonNullable<ShelfLinks['discovery']>[] = [
  { words: 'Health', path: 'state/health.json' },
  { words: 'Metrics', path: 'metrics' },
  { words: 'OpenAPI', path: 'openapi.json' },
];

/** Links are relative, so that they lead to the hub by whatever name it was asked. */
function feedsList({ baseUrl, links }: HomeFacts): string {
  const lines = [...links.flatMap(({ feeds }) => feeds), ...OTHER_FEEDS].map((line) =>
    line.map((feed) => shownFeed(feed, baseUrl)).join(', '),
  );
  const others = [...links.flatMap(({ discovery }) => discovery ?? []), ...OTHER_LINKS];
  return `<ul class="feeds">
${lines.map((line) => `<li>${line}</li>`).join('\n')}
</ul>
<ul class="links">
${others.map(({ words, path }) => `<li><a href="${path}">${words}</a></li>`).join('\n')}
</ul>`;
}

function shownFeed({ words, path, href }: ShelfLinks['feeds'][number][number], baseUrl: string): string {
  const shown = `<code>${foreignText(baseUrl + path, MAX_NAME)}</code>`;
  const target = href ?? (path.includes('{') ? undefined : path);
  return `${words === undefined ? '' : `${words}: `}${target === undefined ? shown : `<a href="${target}">${shown}</a>`}`;
}

function sourcesTable(rows: readonly Row[], nowMs: number): string {
  if (rows.length === 0) return '<p>No source is watched yet. Add one with <code>tidings source add</code>.</p>';
  const shown = rows.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, MAX_SOURCES);
  const rest = rows.length - shown.length;
  const more = `\n<p class="faint">… and ${count(rest)} more: <a href="state/health.json">health.json</a> has them all.</p>`;
  return `<table>
<caption>Problems first. Times are UTC.</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Source</th><th scope="col">Last check</th><th scope="col">Last change</th><th scope="col">Remarks</th></tr></thead>
<tbody>
${shown.map((row) => sourceRow(row, nowMs)).join('\n')}
</tbody>
</table>${rest > 0 ? more : ''}`;
}

function rankOf({ source, word }: Row): number {
  return word === 'ok' && hasUnread(source) ? ORDER.quiet : ORDER[word];
}

function hasUnread({ health: { unread = 0 } }: WatchedSource): boolean {
  return unread > 0;
}

function feedLink({ words, name, path, mediaType }: SourceFeed): string {
  const shown = name === undefined ? words : `${words}: ${foreignText(name, MAX_NAME)}`;
  const type = mediaType === undefined ? '' : ` type="${mediaType}"`;
  return ` · <a href="${path}"${type}>${shown}</a>`;
}

/** Quiet and pending are ok to DiffDelta; to a person they are news. */
function rowWord(source: WatchedSource): RowWord {
  const word = statusWord(source);
  if (word !== 'ok') return word;
  if (source.health.lastCheckMs === undefined) return 'pending';
  return quietSinceMs(source.health) === undefined ? 'ok' : 'quiet';
}

function sourceRow({ source, word, feeds }: Row, nowMs: number): string {
  const { config, health } = source;
  const name = foreignText(config.title ?? config.id, MAX_NAME);
  const cells = [
    `<td class="word"><b class="${word}">${word}</b></td>`,
    `<td>${foreignLink(sourceAddress(source), name)}<p class="faint"><code>${foreignText(config.id, MAX_NAME)}</code> · ${config.kind}${feeds.map(feedLink).join('')}</p></td>`,
    timeCell('checked', health.lastCheckMs),
    timeCell('changed', health.lastChangeMs),
    `<td>${remarksOf(source, nowMs)}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}

function remarksOf(source: WatchedSource, nowMs: number): string {
  const { paused, health, config } = source;
  const remarks: string[] = [];
  if (paused !== undefined) remarks.push(foreignText(paused.trim() || 'paused', MAX_NOTE));
  if (health.error !== undefined) remarks.push(`${foreignText(errorText(source), MAX_NOTE)}${failuresOf(source)}`);
  if (health.pause !== undefined && health.pause.untilMs > nowMs) {
    remarks.push(`${foreignText(health.pause.by, MAX_NAME)} asked for a pause until ${timeOf(health.pause.untilMs)}.`);
  }
  const unread = `${config.kind === 'feed' ? 'feed' : 'page'}${health.unread === 1 ? '' : 's'} unread`;
  if (hasUnread(source)) remarks.push(`${count(health.unread ?? 0)} ${unread}.`);
  if (health.ladder?.rung === 'pages' && health.fallback !== undefined) {
    const since = timeOf(health.ladder.sinceMs);
    remarks.push(`Read by its pages since ${since}: its feed cannot be followed.`);
  } else if (health.fallback !== undefined) remarks.push(`Read from fallback ${health.fallback + 1}.`);
  remarks.push(...honestyRemarks(health));
  const quietMs = quietSinceMs(health);
  if (quietMs !== undefined) remarks.push(`Quieter than its rhythm since ${timeOf(quietMs)}.`);
  return remarks.map((remark) => `<p>${remark}</p>`).join('');
}

/** Only where a feed said something that is not so, or kept something back. */
function honestyRemarks({ honesty }: WatchedSource['health']): readonly string[] {
  const { compared = 0, toldNotSeen = 0, seenNotTold = 0 } = honesty ?? {};
  if (toldNotSeen + seenNotTold === 0) return [];
  return [
    `Of ${count(compared)} pages ${count(toldNotSeen)} told and not seen, ${count(seenNotTold)} seen and not told.`,
  ];
}

/** Messages about folders and about the log name files of this machine; the admin reads them elsewhere. */
function errorText({ config, health: { error } }: WatchedSource): string {
  if (error === undefined) return '';
  const isOfMachine = config.kind === 'folder' || /^(?:Log|State|Folder)/.test(error.code);
  return isOfMachine ? `${error.code}: the log of the hub says more.` : error.message;
}

function failuresOf({ health: { failures } }: WatchedSource): string {
  return failures > 1 ? ` <span class="faint">(${count(failures)} times in a row)</span>` : '';
}

function changesTable(changes: readonly Change[]): string {
  if (changes.length === 0) return '<p>Nothing has changed yet.</p>';
  return `<table>
<caption>The newest ${changes.length}, newest first. Times are UTC.</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Action</th><th scope="col">What</th><th scope="col">Source</th></tr></thead>
<tbody>
${changes.map(changeRow).join('\n')}
</tbody>
</table>`;
}

function changeRow(change: Change): string {
  const boundary = boundaryOf(change);
  const address = foreignText(boundary, MAX_NAME);
  const name = change.title === undefined || change.title.trim() === '' ? address : foreignText(change.title, MAX_NAME);
  const below = name === address ? '' : `<p class="faint">${address}</p>`;
  const cells = [
    timeCell('', Date.parse(change.time)),
    `<td class="word"><b class="${change.action}">${change.action}</b></td>`,
    `<td>${foreignLink(boundary, name)}${below}</td>`,
    `<td class="source" data-label="in">${foreignText(change.source, MAX_NAME)}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>`;
}

function timeCell(label: string, ms: number | undefined): string {
  if (ms === undefined || !Number.isFinite(ms)) return '<td></td>';
  return `<td class="when"${label === '' ? '' : ` data-label="${label}"`}>${timeOf(ms)}</td>`;
}

/** To the minute for people, exactly for programs. */
function timeOf(ms: number): string {
  const exact = formatTime(ms);
  return `<time datetime="${exact}">${exact.slice(0, 10)} ${exact.slice(11, 16)}</time>`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
