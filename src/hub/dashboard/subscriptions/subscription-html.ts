import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted } from '../../http/html-pieces.ts';
import { mayAct } from '../../sign-in/viewer.ts';
import { actionButton, actionForm, emptyState } from '../pieces.ts';
import type { AskedView } from '../view.ts';
import type { ShownAttempt, ShownDeadLetter, ShownSubscription, SubscriptionFacts } from './subscription-facts.ts';
import { subscriptionBadge, timeAt } from './subscription-list-html.ts';

const MAX_TEXT = 300;

export function subscriptionHtml(
  { subscription, deliveries, dead_letters }: SubscriptionFacts,
  asked: AskedView,
): Html {
  const { label, url, id, status, reason } = subscription;
  return html`<p><a href="${asked.root}subscriptions">Subscriptions</a></p>
<h1>${outsideText(label ?? url)} ${subscriptionBadge(status)}</h1>
${reason === undefined ? NO_HTML : html`<p class="${status === 'disabled' ? 'faint' : 'warning'}">${outsideText(reason, MAX_TEXT)}</p>`}
<section id="standing" data-live="${asked.root}events">
${standing(subscription)}
</section>
${actions(subscription, asked)}
<section id="deliveries" data-live="${asked.root}events">
<h2>Last deliveries</h2>
${deliveries.length === 0 ? emptyState('Nothing has been sent yet.') : deliveryTable(deliveries)}
</section>
${dead_letters.length === 0 ? NO_HTML : deadLetters(dead_letters, id, asked)}`;
}

function standing(one: ShownSubscription): Html {
  const { url, topic, format, filter, batch, owner, lag, signing } = one;
  const chosen = Object.entries(filter).map(([name, values]) => `${name}: ${[values].flat().join(', ')}`);
  const next =
    one.next_attempt_at === undefined
      ? NO_HTML
      : html`<dt>Next try</dt><dd>${timeAt(one.next_attempt_at)}, behind ${counted(one.attempts ?? 0, 'try', 'tries')} in vain</dd>`;
  const failing =
    one.failing_since === undefined ? NO_HTML : html`<dt>Failing since</dt><dd>${timeAt(one.failing_since)}</dd>`;
  return html`<dl class="facts">
<dt>Address</dt><dd><code>${outsideText(url, MAX_TEXT)}</code></dd>
<dt>Id</dt><dd><code>${one.id}</code></dd>
<dt>Is told</dt><dd>${topic}, as ${format}${batch.max > 1 ? `, up to ${count(batch.max)} together` : ''}${one.replaying === true ? '; a replay runs' : ''}</dd>
<dt>Only what fits</dt><dd>${chosen.length === 0 ? 'all' : chosen.map((line) => html`<p>${outsideText(line, MAX_TEXT)}</p>`)}</dd>
<dt>Behind by</dt><dd>${counted(lag, 'change')}</dd>
<dt>Last taken</dt><dd>${one.last_success_at === undefined ? 'never' : timeAt(one.last_success_at)}</dd>
${failing}${next}
<dt>Signed with</dt><dd>${signing.map((secret) => html`<p>${secret.scheme}${secret.until === undefined ? NO_HTML : html`, the old one, until ${timeAt(secret.until)}`}</p>`)}</dd>
<dt>Made by</dt><dd>${OWNERS[owner]}, ${timeAt(one.created_at)}</dd>
</dl>`;
}

const OWNERS = { admin: 'the operator', config: 'the settings of the hub', key: 'who has an API key' } as const;

function actions({ id, status, owner }: ShownSubscription, { root, viewer }: AskedView): Html {
  if (!mayAct(viewer, 'operate')) return NO_HTML;
  const at = `${root}subscriptions/${encodeURIComponent(id)}`;
  const stands = status === 'disabled' || status === 'gone';
  const lost = 'Nothing is sent any more, and its deliveries are forgotten.';
  const again = owner === 'config' ? ' The settings of the hub name it: it is made again at the next start.' : '';
  return html`<h2>Actions</h2>
<div class="actions">
${actionButton({ action: `${at}/test`, words: 'Send a test event', role: 'operate', isMain: true }, viewer)}
${
  stands
    ? actionButton({ action: `${at}/resume`, words: 'Resume', role: 'operate' }, viewer)
    : actionButton({ action: `${at}/pause`, words: 'Pause', role: 'operate' }, viewer)
}
${actionButton({ action: `${at}/rotate`, words: 'New secret', role: 'admin', warning: 'The old secret signs beside the new one for 24 hours. The new one is shown once.' }, viewer)}
${actionButton({ action: `${at}/remove`, words: 'Remove', role: 'admin', warning: `${lost}${again}` }, viewer)}
</div>
<details class="panel"><summary>Send changes again</summary>
<p>Up to where it has come, with the ids that they had, before what is new.</p>
${actionForm(`${at}/replay`, viewer, REPLAY_FIELDS)}</details>`;
}

const REPLAY_FIELDS = html`<div class="fields">
<div><label for="since">From a moment (UTC)</label><input id="since" name="since" type="datetime-local"></div>
<div><label for="from">Or behind a cursor (the id of a change, or start)</label><input id="from" name="from" maxlength="100"></div>
<button>Send again</button>
</div>`;

function deliveryTable(deliveries: readonly ShownAttempt[]): Html {
  return html`<table>
<caption>The newest ${count(deliveries.length)}, newest first.</caption>
<thead><tr><th scope="col">When</th><th scope="col">Outcome</th><th scope="col">What</th><th scope="col" class="number">Try</th><th scope="col" class="number">Took</th><th scope="col">Answer</th></tr></thead>
<tbody>
${deliveries.map(deliveryRow)}</tbody>
</table>`;
}

const OUTCOME_LOOKS = { delivered: 'ok', failed: 'error', gone: 'error' } as const;

function deliveryRow(one: ShownAttempt): Html {
  const { at, outcome, type, events, attempt, duration_ms: ms, status, error, answer } = one;
  const said = [error?.message, answer].filter((text) => text !== undefined && text.trim() !== '');
  return html`<tr><td>${timeAt(at)}</td><td>${badge(outcome, OUTCOME_LOOKS[outcome])}</td><td>${outsideText(type)}${events > 0 ? `, ${counted(events, 'change')}` : ''}</td><td class="number" data-label="try">${count(attempt)}</td><td class="number" data-label="took">${count(ms)} ms</td><td>${status === undefined ? '' : `${status} `}${said.map((text) => html`<p>${outsideText(text ?? '', MAX_TEXT)}</p>`)}</td></tr>
`;
}

function deadLetters(letters: readonly ShownDeadLetter[], id: string, { root, viewer }: AskedView): Html {
  const action = `${root}subscriptions/${encodeURIComponent(id)}/again`;
  const again = (delivery: string) =>
    actionButton({ action, words: 'Send again', role: 'operate', fields: { delivery } }, viewer);
  return html`<h2>Given up</h2>
<table>
<caption>Deliveries that were not taken in any try, newest first.</caption>
<thead><tr><th scope="col">When</th><th scope="col" class="number">Changes</th><th scope="col" class="number">Tries</th><th scope="col">Why</th><th scope="col"><span class="hidden">Send again</span></th></tr></thead>
<tbody>
${letters.map(
  (
    letter,
  ) => html`<tr><td>${timeAt(letter.at)}</td><td class="number" data-label="changes">${count(letter.events)}</td><td class="number" data-label="tries">${count(letter.attempts)}</td><td>${outsideText(letter.reason, MAX_TEXT)}</td><td>${again(letter.id)}</td></tr>
`,
)}</tbody>
</table>`;
}
