import type { Alert, AlertEvent } from '../../alerts/alert.ts';
import {
  ALERT_EVENT_SCHEMA,
  ALERT_SCHEMA,
  type AlertEventView,
  type AlertView,
  viewAlert,
  viewAlertEvent,
} from '../../alerts/alert-view.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import { emptyState } from '../pieces.ts';
import type { View } from '../view.ts';
import { listSchema, objectSchema } from '../view-schemas.ts';

/** The alerts of a hub, as pages look at them. */
export interface AlertSight {
  /** Newest first. */
  open(): readonly Alert[];
  /** Newest first. From memory, as far as that reaches. */
  recent(limit: number): readonly AlertEvent[];
}

interface AlertFacts {
  readonly open: readonly AlertView[];
  /** Closed alerts, by the event that ended them, newest first. */
  readonly past: readonly AlertEventView[];
}

const MOST_OPEN = 200;
const MOST_PAST = 100;
/** How many events are searched for those that ended an alert. */
const MOST_EVENTS = 400;
const MAX_TEXT = 500;
const MAX_ID = 200;

/** What is wrong with the hub and what to do about it, and what was. */
export function alertsView({ open, recent }: AlertSight): View<AlertFacts> {
  return {
    path: '/alerts',
    summary: 'Open alerts, since when and what to do; and past alerts.',
    role: 'read',
    schema: objectSchema({ open: listSchema(ALERT_SCHEMA), past: listSchema(ALERT_EVENT_SCHEMA) }),
    read: () => ({
      open: open().slice(0, MOST_OPEN).map(viewAlert),
      past: recent(MOST_EVENTS)
        .filter(({ type }) => type === 'alert.cleared')
        .slice(0, MOST_PAST)
        .map(viewAlertEvent),
    }),
    show: (facts, { root }) => ({
      title: facts.open.length === 0 ? 'No open alerts' : `${count(facts.open.length)} open`,
      place: 'alerts',
      main: alertsHtml(facts, root),
    }),
  };
}

function alertsHtml({ open, past }: AlertFacts, root: string): Html {
  return html`<h1>Alerts</h1>
<p class="faint">What an operator should know of: told once, and once when it is over. Webhooks of the topic “alerts”, mails and <code>alerts.atom</code> say the same.</p>
<section id="open" data-live="${root}events">
<h2>Open</h2>
${open.length === 0 ? emptyState('Nothing is wrong.') : openTable(open, root)}
</section>
<section id="past" data-live="${root}events">
<h2>Over</h2>
${past.length === 0 ? emptyState('Nothing was wrong so far, as far as the hub remembers.') : pastTable(past, root)}
</section>`;
}

function openTable(alerts: readonly AlertView[], root: string): Html {
  return html`<table>
<caption>Newest first.</caption>
<thead><tr><th scope="col">Severity</th><th scope="col">What</th><th scope="col">What to do</th><th scope="col">Since</th></tr></thead>
<tbody>
${alerts.map(
  (
    alert,
  ) => html`<tr><td>${severity(alert)}</td><td>${what(alert, root)}</td><td data-label="what to do">${outsideText(alert.remedy, MAX_TEXT)}</td><td data-label="since">${timeHtml(Date.parse(alert.since))}</td></tr>
`,
)}</tbody>
</table>`;
}

function pastTable(events: readonly AlertEventView[], root: string): Html {
  return html`<table>
<caption>The last ${count(events.length)}, newest first.</caption>
<thead><tr><th scope="col">Severity</th><th scope="col">What</th><th scope="col">Since</th><th scope="col">Until</th></tr></thead>
<tbody>
${events.map(
  ({
    alert,
    at,
  }) => html`<tr><td>${severity(alert)}</td><td>${what(alert, root)}</td><td data-label="since">${timeHtml(Date.parse(alert.since))}</td><td data-label="until">${timeHtml(Date.parse(at))}</td></tr>
`,
)}</tbody>
</table>`;
}

function severity({ severity: word }: AlertView): Html {
  return badge(word, word === 'critical' ? 'error' : 'degraded');
}

function what({ summary, kind, subject, source, url }: AlertView, root: string): Html {
  return html`<p>${outsideText(summary, MAX_TEXT)}</p><p class="faint"><code>${kind}</code>${subjectLink(kind, source ?? subject, root)}${url === undefined ? NO_HTML : html` · ${outside(url)}`}</p>`;
}

/** Where more is said of what ails. */
function subjectLink(kind: AlertView['kind'], subject: string, root: string): Html {
  const place = kind.startsWith('source.') ? 'sources' : kind.startsWith('subscriber.') ? 'subscriptions' : undefined;
  if (place === undefined || subject.length > MAX_ID) return NO_HTML;
  return html` · <a href="${root}${place}/${encodeURIComponent(subject.toWellFormed())}">${outsideText(subject)}</a>`;
}
