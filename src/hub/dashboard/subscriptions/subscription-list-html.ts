import { WEBHOOK_FORMS } from '../../../codecs/webhooks/body.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import type { SubscriptionStatus } from '../../push/webhooks/subscription.ts';
import { mayAct } from '../../sign-in/viewer.ts';
import { actionButton, actionForm, copyable, emptyState, pager } from '../pieces.ts';
import type { AskedView } from '../view.ts';
import {
  type ShownSubscription,
  type ShownWebSub,
  SUBSCRIPTION_STATES,
  SUBSCRIPTIONS_PAGE,
  type SubscriptionListFacts,
  type WebSubListFacts,
} from './subscription-facts.ts';

const MAX_REASON = 300;

/** The colour of each state. */
const LOOKS: Readonly<Record<SubscriptionStatus, string>> = {
  active: 'ok',
  pending: 'pending',
  failing: 'degraded',
  disabled: 'disabled',
  gone: 'error',
};

export function subscriptionBadge(status: SubscriptionStatus): Html {
  return badge(status, LOOKS[status]);
}

export function subscriptionListHtml(facts: SubscriptionListFacts, asked: AskedView): Html {
  const { root } = asked;
  const { websub } = facts;
  return html`<h1>Subscriptions</h1>
<p class="faint">Who is told of changes by this hub, and how far each has come.</p>
<h2>Webhooks</h2>
${stateForm(facts, root)}
<section id="webhooks" data-live="${root}events">
${webhooksHtml(facts, root)}
</section>
${pager({
  newer: facts.from > 0 ? pageLink(facts, Math.max(0, facts.from - SUBSCRIPTIONS_PAGE), root) : undefined,
  older:
    facts.from + facts.subscriptions.length < facts.fitting
      ? pageLink(facts, facts.from + SUBSCRIPTIONS_PAGE, root)
      : undefined,
})}
${addForm(asked)}
${websub === undefined ? NO_HTML : webSubHtml(websub, asked)}`;
}

function stateForm({ state, total, states }: SubscriptionListFacts, root: string): Html {
  if (total === 0) return NO_HTML;
  return html`<form class="fields" method="get" action="${root}subscriptions">
<div><label for="state">State</label><select id="state" name="state"><option value="">any (${count(total)})</option>${SUBSCRIPTION_STATES.map((word) => html`<option value="${word}"${word === state ? html` selected` : NO_HTML}>${word} (${count(states[word])})</option>`)}</select></div>
<button>Show</button>
</form>`;
}

function webhooksHtml({ subscriptions, total, fitting, from }: SubscriptionListFacts, root: string): Html {
  if (subscriptions.length === 0)
    return emptyState(total === 0 ? 'No webhook is told of changes yet.' : 'No webhook is in this state.');
  return html`<table>
<caption>${count(from + 1)} to ${count(from + subscriptions.length)} of ${count(fitting)}. Those that need somebody come first.</caption>
<thead><tr><th scope="col">State</th><th scope="col">Address</th><th scope="col" class="number">Behind</th><th scope="col">Last taken</th><th scope="col">Next try</th><th scope="col">Remarks</th></tr></thead>
<tbody>
${subscriptions.map((one) => webhookRow(one, root))}</tbody>
</table>`;
}

function webhookRow(one: ShownSubscription, root: string): Html {
  const { id, url, label, format, topic, status, lag, reason, attempts } = one;
  const tries = attempts === undefined ? '' : ` (${counted(attempts, 'try', 'tries')} so far)`;
  return html`<tr><td>${subscriptionBadge(status)}</td><td><a href="${root}subscriptions/${encodeURIComponent(id)}">${outsideText(label ?? url)}</a><p class="faint">${label === undefined ? NO_HTML : html`${outsideText(url)} · `}${topic} · ${format}</p></td><td class="number" data-label="behind">${count(lag)}</td><td data-label="last taken">${timeAt(one.last_success_at)}</td><td data-label="next try">${timeAt(one.next_attempt_at)}${tries}</td><td>${reason === undefined ? NO_HTML : outsideText(reason, MAX_REASON)}</td></tr>
`;
}

export function timeAt(time: string | undefined): Html {
  return timeHtml(time === undefined ? undefined : Date.parse(time));
}

function pageLink({ state }: SubscriptionListFacts, from: number, root: string): string {
  return `${root}subscriptions?${new URLSearchParams({ ...(state && { state }), from: String(from) })}`;
}

const TOPICS = html`<option value="changes">changes</option><option value="alerts">alerts of this hub</option>`;
const ACTIONS = ['create', 'update', 'delete'] as const;

/** The settings of a webhook, with the usual ones chosen. */
function addForm({ viewer, root }: AskedView): Html {
  if (!mayAct(viewer, 'admin')) return NO_HTML;
  return html`<details class="panel" id="add"><summary>Add a webhook</summary>
<p>The address is sent a challenge and has to answer with it before anything else is sent. The secret that signs what is sent is shown once.</p>
${actionForm(`${root}subscriptions/add`, viewer, [
  html`<div class="fields">
<div><label for="url">Address (https)</label><input id="url" name="url" type="url" required maxlength="2048" placeholder="https://hooks.example/changes"></div>
<div><label for="label">Name (optional)</label><input id="label" name="label" maxlength="200"></div>
<div><label for="format">Form of the body</label><select id="format" name="format">${WEBHOOK_FORMS.map((form) => html`<option>${form}</option>`)}</select></div>
<div><label for="topic">What is told</label><select id="topic" name="topic">${TOPICS}</select></div>
</div>
<fieldset class="fields"><legend>Only changes that fit (leave empty for all; commas between several)</legend>
<div><label for="source">Sources</label><input id="source" name="source" placeholder="docs, blog"></div>
<div><label for="path">Paths</label><input id="path" name="path" placeholder="/guide/**"></div>
<div><label for="anchor">Sections</label><input id="anchor" name="anchor" placeholder="install*"></div>
<div><label for="action">Action</label><select id="action" name="action"><option value="">any</option>${ACTIONS.map((action) => html`<option>${action}</option>`)}</select></div>
</fieldset>
<p><label class="check"><input type="checkbox" name="unverified" value="yes"> Send without a challenge (chats and ntfy cannot answer one)</label></p>
<button class="main">Add the webhook</button>`,
])}</details>`;
}

function webSubHtml(facts: WebSubListFacts, asked: AskedView): Html {
  const { hub, warning, count: all, subscriptions, next } = facts;
  const { root } = asked;
  return html`<h2>WebSub</h2>
<p>Feed readers subscribe by themselves at ${copyable(hub)}</p>
${warning === undefined ? NO_HTML : html`<p class="warning">${outsideText(warning, MAX_REASON)}</p>`}
${
  subscriptions.length === 0
    ? emptyState('Nobody has subscribed by WebSub.')
    : html`<table>
<caption>${count(subscriptions.length)} of ${counted(all, 'subscription')}.</caption>
<thead><tr><th scope="col">State</th><th scope="col">Feed and callback</th><th scope="col">Last delivery</th><th scope="col">Next try</th><th scope="col">Lease ends</th><th scope="col"><span class="hidden">End it</span></th></tr></thead>
<tbody>
${subscriptions.map((one) => webSubRow(one, asked))}</tbody>
</table>`
}
${pager({ older: next === undefined ? undefined : `${root}subscriptions?websub_after=${encodeURIComponent(next)}` })}`;
}

function webSubRow(one: ShownWebSub, { root, viewer }: AskedView): Html {
  const { id, topic = '', callback = '', status, leaseEnd, lastDelivery, lastTry, nextTry, failures = 0 } = one;
  const look = status === 'active' ? (failures > 0 ? 'degraded' : 'ok') : status === 'denied' ? 'error' : 'pending';
  const button = {
    action: `${root}subscriptions/websub/${encodeURIComponent(id)}/end`,
    words: 'End it',
    role: 'admin',
    warning: 'Nothing is delivered any more, and its callback is told so. It may subscribe again.',
  } as const;
  const said =
    failures > 0 && lastTry !== undefined ? html`<p>${outsideText(lastTry.outcome, MAX_REASON)}</p>` : NO_HTML;
  return html`<tr><td>${badge(status, look)}</td><td>${outsideText(topic, MAX_REASON)}<p class="faint">${outsideText(callback, MAX_REASON)}</p></td><td data-label="last delivery">${timeAt(lastDelivery)}${said}</td><td data-label="next try">${timeAt(nextTry)}</td><td data-label="lease ends">${timeAt(leaseEnd)}</td><td>${actionButton(button, viewer)}</td></tr>
`;
}
