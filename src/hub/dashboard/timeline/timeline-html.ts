import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, counted, timeHtml } from '../../http/html-pieces.ts';
import { type ChangeLine, outside } from '../changes/change-line.ts';
import { type DiffLook, looksNav } from '../changes/diff-html.ts';
import { textHtml } from '../changes/text-html.ts';
import { timelinePath } from '../changes/timeline-path.ts';
import { emptyState, hidden, pager } from '../pieces.ts';
import type { ComparedVersions, TimelineFacts, VersionLine } from './timeline-facts.ts';

interface Around {
  readonly root: string;
  readonly look: DiffLook;
  /** Where this part of the list begins; absent for the newest. */
  readonly before: string | undefined;
}

export function timelineTitle({ versions: [newest], boundary }: TimelineFacts): string {
  return `Versions of ${[newest?.title, newest?.heading].filter((part) => part !== undefined).join(' › ') || boundary}`;
}

export function timelineHtml(facts: TimelineFacts, around: Around): Html {
  const { source, boundary, anchor, versions, older, compared, behind = 0 } = facts;
  const { root, before } = around;
  return html`<h1>${outsideText(timelineTitle(facts), 200)}</h1>
<p class="faint">${outside(boundary)} in <a href="${root}sources/${encodeURIComponent(source)}">${outsideText(source)}</a></p>
${anchor === undefined ? NO_HTML : html`<p><a href="${root}${timelinePath({ source, url: facts.url })}">All versions of the whole page</a></p>`}
${compared === undefined ? NO_HTML : comparedHtml(facts, compared, around)}
<section aria-labelledby="versions-title">
<h2 id="versions-title">Versions</h2>
${behind === 0 ? NO_HTML : html`<p class="faint">The hub is still looking through its log: ${counted(behind, 'change')} may be missing here.</p>`}
${versions.length === 0 ? emptyState('The log tells of no change of it.', 'It may have been read once and never changed, or retention has cut what is old.') : versionsForm(facts, around)}
</section>
${pager({
  newer: before === undefined ? undefined : linkTo(facts, around, {}),
  older: older === undefined ? undefined : linkTo(facts, around, { before: String(older) }),
})}`;
}

function comparedHtml(facts: TimelineFacts, { a, b, text }: ComparedVersions, around: Around): Html {
  const { root, look, before } = around;
  const name = (line: ChangeLine) =>
    html`<a href="${root}changes/${encodeURIComponent(line.id)}">${timeHtml(Date.parse(line.time))}</a>`;
  const kept = { ...(before !== undefined && { before }), a: a.id, b: b.id };
  return html`<section id="text" aria-labelledby="compared-title">
<h2 id="compared-title">What differs</h2>
<p>Between ${name(a)} and ${name(b)}.</p>
${looksNav(look, (to) => linkTo(facts, { ...around, look: to }, kept))}
${textHtml(text, { look, base: facts.url, ...(facts.anchor !== undefined && { record: { anchor: facts.anchor } }) })}
</section>`;
}

/** Two of them are chosen and compared, without a script. */
function versionsForm(facts: TimelineFacts, { root, look, before }: Around): Html {
  const { source, url, anchor, versions, compared } = facts;
  const areSeveral = versions.length > 1;
  return html`<form method="get" action="${root}timeline">
${hidden('source', source)}${hidden('url', url)}${anchor === undefined ? NO_HTML : hidden('anchor', anchor)}${look === 'side' ? NO_HTML : hidden('look', look)}${before === undefined ? NO_HTML : hidden('before', before)}
<table>
<caption>${areSeveral ? 'Newest first. Choose two and compare them.' : 'There is one version so far.'}</caption>
<thead><tr>${areSeveral && html`<th scope="col">From</th><th scope="col">To</th>`}<th scope="col">When</th><th scope="col">Action</th><th scope="col">What</th></tr></thead>
<tbody>
${versions.map((version) => versionRow(version, facts, { root, compared }))}</tbody>
</table>
${areSeveral && html`<p class="actions"><button class="main">Compare</button></p>`}
</form>`;
}

function versionRow(
  version: VersionLine,
  { source, url, versions }: TimelineFacts,
  { root, compared }: { readonly root: string; readonly compared: ComparedVersions | undefined },
): Html {
  const { id, time, action, boundary, title, heading, note, formerAnchor } = version;
  const radio = (name: 'a' | 'b', words: string) =>
    html`<td><input type="radio" name="${name}" value="${id}" aria-label="${words} ${time}"${compared?.[name].id === id ? html` checked` : NO_HTML}></td>`;
  const former =
    formerAnchor === undefined
      ? NO_HTML
      : html`<p>It was called ${outsideText(formerAnchor)} before: <a href="${root}${timelinePath({ source, url, anchor: formerAnchor })}">earlier versions</a>.</p>`;
  return html`<tr>${versions.length > 1 && html`${radio('a', 'From')}${radio('b', 'To')}`}<td>${timeHtml(Date.parse(time))}</td><td>${badge(action)}</td><td><a href="${root}changes/${encodeURIComponent(id)}">${outsideText([title, heading].filter((part) => part !== undefined).join(' › ') || boundary)}</a>${note === undefined ? NO_HTML : html`<p class="faint">${outsideText(note, 200)}</p>`}${former}</td></tr>
`;
}

function linkTo(
  { source, url, anchor }: TimelineFacts,
  { root, look }: Pick<Around, 'root' | 'look'>,
  more: Readonly<Record<string, string>>,
): string {
  const asked = new URLSearchParams({ ...more, ...(look !== 'side' && { look }) });
  const path = timelinePath({ source, url, ...(anchor !== undefined && { anchor }) });
  return `${root}${path}${asked.size > 0 ? `&${asked}` : ''}`;
}
