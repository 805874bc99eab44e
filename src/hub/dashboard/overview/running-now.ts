import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { count, timeHtml } from '../../http/html-pieces.ts';
import type { JobView } from '../../jobs/job-view.ts';

const [EVERY_SECONDS, IDLE_SECONDS] = [3, 15];

/** Long work with its progress. While something runs, the page reloads it periodically. */
export function runningNow(jobs: readonly JobView[], root: string): Html {
  if (jobs.length === 0)
    return html`<section id="running" data-live="${root}events" data-every="${IDLE_SECONDS}" aria-label="Running now"></section>`;
  return html`<section id="running" data-live="${root}events" data-every="${EVERY_SECONDS}">
<h2>Running now</h2>
<table>
<caption>The longest first. It shows by itself how far it is.</caption>
<thead><tr><th scope="col">What</th><th scope="col">How far</th><th scope="col">Since</th></tr></thead>
<tbody>
${jobs.map((job) => jobRow(job, root))}</tbody>
</table>
</section>`;
}

function jobRow(job: JobView, root: string): Html {
  const { what, source, startedAt } = job;
  const of =
    source === undefined
      ? NO_HTML
      : html` of <a href="${root}sources/${encodeURIComponent(source.toWellFormed())}">${outsideText(source)}</a>`;
  return html`<tr><td>${what}${of}</td><td data-label="how far">${progress(job)}</td><td data-label="since">${timeHtml(Date.parse(startedAt))}</td></tr>
`;
}

/** Where it is not known how much there is, the bar only says that something happens. */
function progress({ what, done, total, unit }: JobView): Html {
  if (total === undefined || total <= 0)
    return html`<progress aria-label="${what}"></progress> ${done > 0 ? `${count(done)} ${unit}` : ''}`;
  const most = Math.max(total, done);
  return html`<progress aria-label="${what}" value="${done}" max="${most}"></progress> ${count(done)} of ${count(most)} ${unit}`;
}
