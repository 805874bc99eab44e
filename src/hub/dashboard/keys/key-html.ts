import { SOLD_TIERS } from '../../config/tiers.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import type { KeyUsageView } from '../../routes/usage-view.ts';
import { barChart } from '../chart.ts';
import { actionButton, actionForm, emptyState, pager } from '../pieces.ts';
import type { AskedView } from '../view.ts';
import type { KeyFacts, KeyListFacts, UsageBar } from './key-facts.ts';

/** The number of keys per page. */
export const KEYS_PAGE = 50;

export function keyListHtml({ keys, total, from, days }: KeyListFacts, asked: AskedView): Html {
  const { root, viewer } = asked;
  const to = (start: number) => `${root}keys?from=${start}`;
  return html`<h1>API keys</h1>
<p class="faint">Who has a key reads more often than others, and may be pushed to. Of the keys themselves only hashes are known here.</p>
${keys.length === 0 ? NO_HTML : usageChart('Requests with these keys, the last 90 days', days)}
${keys.length === 0 ? emptyState('No key has been given out yet.', 'Issue one below.') : keyTable(keys, { from, total, root })}
${pager({
  newer: from > 0 ? to(Math.max(0, from - KEYS_PAGE)) : undefined,
  older: from + keys.length < total ? to(from + KEYS_PAGE) : undefined,
})}
<h2>Issue a key</h2>
<p>The key is shown once.</p>
${actionForm(`${root}keys/issue`, viewer, ISSUE_FIELDS)}`;
}

const ISSUE_FIELDS = html`<div class="fields">
<div><label for="label">Who has it</label><input id="label" name="label" maxlength="200" placeholder="Search team"></div>
<div><label for="tier">Tier</label><select id="tier" name="tier">${SOLD_TIERS.map((tier) => html`<option>${tier}</option>`)}</select></div>
<button class="main">Issue a key</button>
</div>`;

interface TablePlace {
  readonly from: number;
  readonly total: number;
  readonly root: string;
}

function keyTable(keys: readonly KeyUsageView[], { from, total, root }: TablePlace): Html {
  return html`<table>
<caption>${count(from + 1)} to ${count(from + keys.length)} of ${count(total)}, newest first. Keys that took over from each other are one.</caption>
<thead><tr><th scope="col">State</th><th scope="col">Key</th><th scope="col">Tier</th><th scope="col">Issued</th><th scope="col">Last used</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Refused</th></tr></thead>
<tbody>
${keys.map((key) => keyRow(key, root))}</tbody>
</table>`;
}

function keyRow(key: KeyUsageView, root: string): Html {
  const { prefix, hash, label, tier, total } = key;
  return html`<tr><td>${keyBadge(key)}</td><td><a href="${root}keys/${hash}"><code>${prefix}…</code></a>${label === undefined ? NO_HTML : html`<p>${outsideText(label)}</p>`}</td><td>${tier}</td><td data-label="issued">${timeAt(key.created_at)}</td><td data-label="last used">${key.last_used_at === undefined ? 'not in 90 days' : timeAt(key.last_used_at)}</td><td class="number" data-label="requests">${count(total.requests)}</td><td class="number" data-label="refused">${count(total.refused)}</td></tr>
`;
}

export function keyHtml({ key, days }: KeyFacts, { root, viewer }: AskedView): Html {
  const { prefix, hash, label, tier, total } = key;
  const revoke = {
    action: `${root}keys/${hash}/revoke`,
    words: 'Revoke',
    role: 'admin',
    warning: 'Requests with it count as those of nobody from now on, and its webhooks end. It does not come back.',
  } as const;
  const isOver = key.revoked_at !== undefined && key.revoked_for !== 'unpaid';
  return html`<p><a href="${root}keys">API keys</a></p>
<h1><code>${prefix}…</code> ${keyBadge(key)}</h1>
<dl class="facts">
${label === undefined ? NO_HTML : html`<dt>Who has it</dt><dd>${outsideText(label, 200)}</dd>`}
<dt>Tier</dt><dd>${tier}</dd>
<dt>Issued</dt><dd>${timeAt(key.created_at)}</dd>
${key.revoked_at === undefined ? NO_HTML : html`<dt>Counts no more since</dt><dd>${timeAt(key.revoked_at)} (${outsideText(key.revoked_for ?? 'revoked')})</dd>`}
<dt>Last used</dt><dd>${key.last_used_at === undefined ? 'not in 90 days' : timeAt(key.last_used_at)}</dd>
<dt>In 90 days</dt><dd>${counted(total.requests, 'request')}, ${count(total.refused)} refused beyond the limit of the tier, ${counted(total.bytes, 'byte')} sent</dd>
<dt>SHA-256</dt><dd><code>${hash}</code></dd>
</dl>
${usageChart('Requests by day, the last 90 days', days)}
${isOver ? NO_HTML : html`<div class="actions">${actionButton(revoke, viewer)}</div>`}`;
}

function keyBadge({ revoked_at, revoked_for = 'revoked' }: KeyUsageView): Html {
  if (revoked_at === undefined) return badge('counts', 'ok');
  return badge(revoked_for, revoked_for === 'unpaid' ? 'degraded' : 'disabled');
}

function usageChart(title: string, days: readonly UsageBar[]): Html {
  const bars = days.map(({ date, requests, refused }) => ({
    label: date,
    value: requests + refused,
    marked: refused,
  }));
  return barChart(bars, { title, one: 'request', marked: 'refused' });
}

function timeAt(time: string): Html {
  return timeHtml(Date.parse(time));
}
