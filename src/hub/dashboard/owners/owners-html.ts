import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, counted, timeHtml } from '../../http/html-pieces.ts';
import { emptyState, hidden } from '../pieces.ts';
import { sourceRemarks } from './owned-remarks.ts';
import type { HostCost, OwnedDomain, OwnedSource, OwnersFacts } from './owner-facts.ts';

/** What an owner may choose from. */
const INTERVALS: readonly (readonly [seconds: number, words: string])[] = [
  [300, 'every 5 minutes'],
  [900, 'every 15 minutes'],
  [3600, 'every hour'],
  [21_600, 'every 6 hours'],
  [43_200, 'every 12 hours'],
  [86_400, 'once a day'],
  [604_800, 'once a week'],
];

export function ownersHtml(facts: OwnersFacts, root: string): Html {
  return html`<h1>For site owners</h1>
<p>Does this hub watch a site of yours? Prove that the domain is yours, and you may pause the watching, end it, or have it look more often. You also see what it costs you. <a href="${root}bot">How the crawler behaves</a></p>
<h2>Prove a domain</h2>
<form class="fields" method="post" action="${root}owners/token">
<div><label for="domain">Domain</label><input id="domain" name="domain" required maxlength="300" placeholder="docs.example.com" autocomplete="off"></div>
<button class="main">Show what to publish</button>
</form>
<p class="faint">The proof of a domain holds for the names below it, not for those above it. It counts in this browser, for an hour.</p>
${facts.domains.map((domain) => domainHtml(domain, facts, root))}`;
}

function domainHtml({ domain, sources, hosts }: OwnedDomain, facts: OwnersFacts, root: string): Html {
  return html`<h2>${outsideText(domain, 260)}</h2>
${
  sources.length === 0
    ? emptyState(
        'No source of this hub is on this domain.',
        'One with pages of several owners is not shown: only the operator changes it.',
      )
    : sources.map((source) => sourceHtml(source, facts, root))
}
${hosts.length === 0 ? NO_HTML : hostsTable(hosts, facts)}`;
}

function sourceHtml(owned: OwnedSource, { minIntervalSeconds }: OwnersFacts, root: string): Html {
  const { source, checks, changes, failed, intervalSeconds, isPausedByOwner, isFixed } = owned;
  const isPaused = source.word === 'disabled';
  const to = `${root}owners/sources/${encodeURIComponent(source.id)}`;
  return html`<section class="panel">
<h3><a href="${root}sources/${encodeURIComponent(source.id)}">${outsideText(source.title)}</a></h3>
<dl class="facts">
<dt>State</dt><dd>${source.word}${sourceRemarks(source)}</dd>
<dt>Last check</dt><dd>${timeHtml(source.lastCheckAt === undefined ? undefined : Date.parse(source.lastCheckAt))}</dd>
<dt>Checks</dt><dd>${count(checks)}; of the newest hundred ${counted(failed, 'one')} failed</dd>
<dt>Changes</dt><dd>${count(changes)} in the newest hundred checks</dd>
</dl>
<div class="actions">
${isPaused ? (isPausedByOwner ? buttonForm(`${to}/resume`, 'Resume') : NO_HTML) : buttonForm(`${to}/pause`, 'Pause')}
${isFixed ? NO_HTML : intervalForm(`${to}/interval`, { id: source.id, intervalSeconds, minIntervalSeconds })}
<details class="confirm"><summary>Remove …</summary><p>The hub looks for your proof once more. Then it stops watching this site, and no visitor may ask for the domain again. What it told its readers stays in its log.</p>${buttonForm(`${to}/remove`, 'Remove', 'danger')}</details>
</div>
</section>
`;
}

function buttonForm(action: string, words: string, kind = ''): Html {
  return html`<form method="post" action="${action}"><button class="${kind}">${words}</button></form>`;
}

interface IntervalFacts {
  readonly id: string;
  readonly intervalSeconds: number;
  readonly minIntervalSeconds: number;
}

function intervalForm(action: string, { id, intervalSeconds, minIntervalSeconds }: IntervalFacts): Html {
  const field = `interval-${id}`;
  const choices = INTERVALS.filter(([seconds]) => seconds >= minIntervalSeconds);
  return html`<form method="post" action="${action}"><label for="${field}">Look</label><select id="${field}" name="seconds">${choices.map(([seconds, words]) => html`<option value="${seconds}"${seconds === intervalSeconds ? html` selected` : NO_HTML}>${words}</option>`)}</select> <button>Set</button></form>`;
}

function hostsTable(hosts: readonly HostCost[], { since }: OwnersFacts): Html {
  return html`<table>
<caption>What the hub asked these hosts for since ${timeHtml(Date.parse(since))}. <span class="faint">It counts anew when it starts.</span></caption>
<thead><tr><th scope="col">Host</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Bytes</th></tr></thead>
<tbody>
${hosts.map(({ host, requests, bytes }) => html`<tr><td>${outsideText(host, 260)}</td><td class="number" data-label="requests">${count(requests)}</td><td class="number" data-label="bytes">${count(bytes)}</td></tr>\n`)}</tbody>
</table>`;
}

/** Where the token of a domain is to be published. */
export interface TokenPlaces {
  readonly domain: string;
  readonly dns: { readonly name: string; readonly value: string };
  readonly file: { readonly url: string };
}

/** What to publish, and the button that looks for it. */
export function publicationHtml({ domain, dns, file }: TokenPlaces, root: string): Html {
  return html`<h1>Prove ${outsideText(domain, 260)}</h1>
<p>Publish one of these two. The value is good for this browser and this hub alone; come back with the same browser within 30 days.</p>
<h2>A DNS record</h2>
<dl class="facts"><dt>Name</dt><dd><code>${dns.name}</code></dd><dt>Type</dt><dd><code>TXT</code></dd><dt>Value</dt><dd><code>${dns.value}</code></dd></dl>
<h2>Or a file</h2>
<dl class="facts"><dt>Address</dt><dd><code>${file.url}</code></dd><dt>Line in it</dt><dd><code>${dns.value}</code></dd></dl>
<form class="actions" method="post" action="${root}owners/check">${hidden('domain', domain)}<button class="main">Look for it now</button> <a href="${root}owners">Back</a></form>`;
}
