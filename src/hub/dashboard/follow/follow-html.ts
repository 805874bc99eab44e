import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, counted, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import { emptyState } from '../pieces.ts';
import { sourceLinesTable } from '../sources/source-table.ts';
import type { FollowFacts, RequestFacts } from './follow-facts.ts';

export function followHtml(facts: FollowFacts, root: string): Html {
  return html`<h1>Follow a site</h1>
${facts.isOpen ? askHtml(facts, root) : emptyState('This hub takes no requests: its operator chooses what it watches.', html`<a href="${root}sources">See what it watches</a>`)}
${facts.isOpen && facts.sources.length > 0 ? html`<h2>Asked for by visitors</h2>\n${sourceLinesTable(facts.sources, `${count(facts.followed)} of at most ${count(facts.most)}, the newest first.`, { root })}` : NO_HTML}
${facts.requests === undefined ? NO_HTML : requestsHtml(facts.requests, root)}`;
}

function askHtml({ everyMinutes, perClient, leftToday }: FollowFacts, root: string): Html {
  return html`<p>Name a public site, and this hub tells everybody what changes on it, section by section. It looks at the site ${everyText(everyMinutes)}.</p>
<form class="fields" method="post" action="${root}follow">
<div><label for="url">Address of the site</label><input id="url" name="url" type="text" inputmode="url" placeholder="https://docs.example.com/" required maxlength="2048" autocomplete="url"></div>
<button class="main">Follow</button>
</form>
<ul>
<li>The hub reads <code>robots.txt</code> and what the site says about the use of its pages first, and stays away where either says no.</li>
<li>You may ask for ${counted(perClient, 'site')} a day. Today the hub looks at ${counted(leftToday, 'more site')}.</li>
<li>Is it your own site? <a href="${root}bot">Read how the crawler behaves</a>, or <a href="${root}owners">steer what is watched of it</a>.</li>
</ul>`;
}

function everyText(minutes: number): string {
  if (minutes % 1440 === 0) return minutes === 1440 ? 'once a day' : `every ${count(minutes / 1440)} days`;
  return minutes % 60 === 0 ? `every ${counted(minutes / 60, 'hour')}` : `every ${counted(minutes, 'minute')}`;
}

function requestsHtml(requests: readonly RequestFacts[], root: string): Html {
  if (requests.length === 0) return html`<h2>Requests</h2>\n${emptyState('Nobody has asked for a site yet.')}`;
  return html`<h2>Requests</h2>
<table>
<caption>What visitors asked for, the newest first. Only who steers the sources sees this.</caption>
<thead><tr><th scope="col">When</th><th scope="col">Site</th><th scope="col">From</th><th scope="col">What came of it</th></tr></thead>
<tbody>
${requests.map((request) => requestRow(request, root))}</tbody>
</table>`;
}

function requestRow({ time, url, client, source, reason = '' }: RequestFacts, root: string): Html {
  const end =
    source === undefined
      ? outsideText(reason, 300)
      : html`<a href="${root}sources/${encodeURIComponent(source)}">${outsideText(source)}</a>`;
  return html`<tr><td>${timeHtml(Date.parse(time))}</td><td>${outside(url)}</td><td data-label="from"><code>${outsideText(client)}</code></td><td>${end}</td></tr>
`;
}
