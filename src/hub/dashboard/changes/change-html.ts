import { type Html, html, NO_HTML, outsideLines, outsideText } from '../../http/html.ts';
import { badge, count, counted, timeHtml } from '../../http/html-pieces.ts';
import { copyable } from '../pieces.ts';
import type { ChangeFacts, NearCheck } from './change-facts.ts';
import { type ChangeLine, outside } from './change-line.ts';
import { type DiffLook, looksNav } from './diff-html.ts';
import { learnedHtml } from './learned-html.ts';
import { textHtml } from './text-html.ts';
import { timelinePath } from './timeline-path.ts';

/** How a change is called: page and section. */
export function changeName({ change: { title = '', heading = '', boundary } }: ChangeFacts): string {
  return [title.trim(), heading.trim()].filter((part) => part !== '').join(' › ') || boundary;
}

export function changeHtml(facts: ChangeFacts, look: DiffLook, root: string): Html {
  const { change, text } = facts;
  const own = `${root}changes/${encodeURIComponent(change.id)}`;
  return html`<h1>${outsideText(changeName(facts), 200)}</h1>
<p>${badge(change.action)} ${timeHtml(Date.parse(change.time))} in ${sourceHtml(facts, root)} <span class="faint">${outside(change.boundary)}</span></p>
${change.summary === undefined ? NO_HTML : html`<p>${outsideText(change.summary, 500)}</p>`}
${riskHtml(change)}
<section id="text" aria-labelledby="text-title">
<h2 id="text-title">What changed</h2>
${looksNav(look, (to) => (to === 'side' ? own : `${own}?look=${to}`))}
${textHtml(text, { look, base: change.url, record: change })}
</section>
<p class="actions"><a class="button" href="${root}${timelinePath(change)}">${change.anchor === undefined ? 'All versions of this page' : 'All versions of this section'}</a></p>
<section aria-labelledby="learned-title">
<h2 id="learned-title">Why it counts, and how it was learned</h2>
${learnedHtml(facts)}
${checksHtml(facts)}
</section>
<section aria-labelledby="log-title">
<h2 id="log-title">Its place in the log</h2>
${logHtml(facts, root)}
</section>
<section aria-labelledby="events-title">
<h2 id="events-title">As each dialect tells it</h2>
${eventsHtml(facts, root)}
</section>`;
}

/** A source that nobody watches any more has no page. */
function sourceHtml({ change: { source }, sourceTitle }: ChangeFacts, root: string): Html {
  if (sourceTitle === undefined) return outsideText(source);
  return html`<a href="${root}sources/${encodeURIComponent(source)}">${outsideText(sourceTitle)}</a>`;
}

function riskHtml({ risk = 0, riskReasons = [] }: ChangeFacts['change']): Html {
  if (risk === 0 && riskReasons.length === 0) return NO_HTML;
  const reasons = riskReasons.length === 0 ? NO_HTML : html`: ${outsideText(riskReasons.join(', '), 500)}`;
  return html`<p class="warning">Risk ${Math.round(risk * 100)} of 100${reasons}. Its page looks as if it meant to steer the models that read it.</p>`;
}

function checksHtml({ checks: { found, before } }: ChangeFacts): Html {
  if (found === undefined) return NO_HTML;
  const line = ({ at, tookMs, outcome, changes, pages }: NearCheck) =>
    html`${timeHtml(Date.parse(at))}: ${changes === 0 ? 'nothing had changed' : counted(changes, 'change')}${pages === undefined ? '' : `, ${counted(pages, 'page')}`}${outcome === 'fallback' ? ', by a fallback' : ''} <span class="faint">(${count(tookMs)} ms)</span>`;
  return html`<dl class="facts"><dt>Found by the look at</dt><dd>${line(found)}</dd>
${before === undefined ? NO_HTML : html`<dt>Good look before</dt><dd>${line(before)}</dd>`}</dl>`;
}

function logHtml({ change, log: { previous, next, run } }: ChangeFacts, root: string): Html {
  const link = (line: ChangeLine) =>
    html`<a href="${root}changes/${encodeURIComponent(line.id)}">${outsideText([line.title, line.heading].filter(Boolean).join(' › ') || line.boundary)}</a> ${badge(line.action)} <span class="faint">in ${outsideText(line.source)}</span>`;
  const others = run.changes - 1;
  const more = run.isMore ? 'at least ' : '';
  return html`<dl class="facts">
<dt>Number</dt><dd>${count(change.seq)}</dd>
<dt>Id</dt><dd>${copyable(change.id)}</dd>
<dt>Learned at</dt><dd>${timeHtml(Date.parse(change.time))}</dd>
<dt>Run</dt><dd>${others === 0 ? 'It came alone.' : `It came together with ${more}${counted(others, 'other change')} of its source.`}</dd>
<dt>Before it</dt><dd>${previous === undefined ? 'Nothing: the log begins here.' : link(previous)}</dd>
<dt>Behind it</dt><dd>${next === undefined ? 'Nothing yet: it is the newest.' : link(next)}</dd>
</dl>`;
}

function eventsHtml({ events }: ChangeFacts, root: string): Html {
  if (events.length === 0) return html`<p class="faint">No feed of this hub tells of it.</p>`;
  return html`${events.map(
    ({ words, path, text }) => html`<h3>${outsideText(words)}</h3>
<p class="faint">In <a href="${root}${path}">${outsideText(path, 200)}</a>${text === undefined ? html`, which is too long to be shown here` : NO_HTML}</p>
${text === undefined ? NO_HTML : html`<pre class="wire" tabindex="0"><code>${outsideLines(text)}</code></pre>`}
`,
  )}`;
}
