import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, counted, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import { copyable, emptyState } from '../pieces.ts';
import type { BotFacts, RequestLine } from './bot-facts.ts';

export function botHtml(facts: BotFacts, root: string): Html {
  const { userAgent, productToken, cooldownSeconds } = facts;
  return html`<h1>The crawler of this hub</h1>
<p>This hub reads public web pages and feeds, finds out which sections changed, and tells its readers. It does not copy your site for others to read in your place: feeds name the page, the section and a few words of the change.</p>
<h2>How it introduces itself</h2>
<p>Every request says:</p>
<p>${copyable(userAgent)}</p>
<h2>How it behaves</h2>
<ul>
<li>It obeys <code>robots.txt</code>: the group for <code>${productToken}</code>, else the one for <code>*</code>. It reads that file again within a day. Where the file cannot be read, it stays away.</li>
<li>It asks a host for one page at a time and waits at least ${counted(cooldownSeconds, 'second')} before the next, longer where <code>Crawl-delay</code> says so.</li>
<li>After 429 or 503 it leaves the whole host alone for as long as <code>Retry-After</code> says, or for a minute.</li>
<li>A site that fails is asked less and less often. One that rarely changes is asked less often, too.</li>
<li>It sends <code>If-None-Match</code> and <code>If-Modified-Since</code>, so that a page that did not change costs you no more than a 304.</li>
<li>It never signs in, sends no cookies, and goes round no paywall, challenge or block.</li>
<li>What you say about the use of your pages (<code>Content-Usage</code>, <code>Content-Signal</code>, RSL, <code>tdm-reservation</code>, <code>noai</code>) travels with every page that it read.</li>
</ul>
<h2>How to stop it or slow it down</h2>
<p>To keep it from your pages, put this into <code>robots.txt</code>; name a path in place of <code>/</code> to close a part of the site:</p>
${copyableLines(`User-agent: ${productToken}\nDisallow: /`)}
<p>To slow it down, give the seconds between two pages:</p>
${copyableLines(`User-agent: ${productToken}\nCrawl-delay: 30`)}
<p>Feeds, and the files that lead to them, are read as a feed reader does, whatever <code>robots.txt</code> says of them. You can stop that, too: <a href="${root}owners">prove that the domain is yours</a>, and pause or end the watching of it.</p>
${contactHtml(facts)}
<h2 id="asked">What it asked you for</h2>
<form class="fields" method="get" action="${root}bot#asked">
<div><label for="host">Your host</label><input id="host" name="host" value="${facts.host}" placeholder="docs.example.com" autocomplete="off" maxlength="2048"></div>
<button>Show</button>
</form>
${requestsHtml(facts)}`;
}

function contactHtml({ contact }: BotFacts): Html {
  if (contact === undefined) return html`<p>The operator of this hub has named no contact.</p>`;
  const isMail = !/^https?:/i.test(contact);
  return html`<p>You reach the operator here: ${isMail ? html`<a href="mailto:${contact}">${contact}</a>` : outside(contact)}</p>`;
}

function copyableLines(lines: string): Html {
  return html`<div class="copyable"><pre>${lines}</pre><button type="button" data-copy="${lines}" hidden>Copy</button></div>`;
}

function requestsHtml({ host, requests = [], since }: BotFacts): Html {
  if (host === undefined) return NO_HTML;
  if (requests.length === 0) {
    return emptyState(
      'Nothing is known of this host: the hub does not watch it, or has not asked it for anything lately.',
      html`The hub remembers requests since ${timeHtml(Date.parse(since))}.`,
    );
  }
  return html`<table>
<caption>The newest ${counted(requests.length, 'request')} to ${outsideText(host)}. Queries are left out.</caption>
<thead><tr><th scope="col">When</th><th scope="col">Path</th><th scope="col">Answer</th><th scope="col" class="number">Bytes</th></tr></thead>
<tbody>
${requests.map(requestRow)}</tbody>
</table>
<p class="faint">The hub remembers requests since ${timeHtml(Date.parse(since))}.</p>`;
}

function requestRow({ time, path, status, bytes }: RequestLine): Html {
  return html`<tr><td>${timeHtml(Date.parse(time))}</td><td>${outsideText(path, 310)}</td><td data-label="answer">${status ?? 'none'}</td><td class="number" data-label="bytes">${count(bytes)}</td></tr>
`;
}
