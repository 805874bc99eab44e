import { type Html, html, NO_HTML } from '../http/html.ts';
import { count } from '../http/html-pieces.ts';
import { type Activity, type ActivityBar, PERIODS } from './activity.ts';
import { barChart } from './chart.ts';

/** Changes over time with what they are added up by to choose from. `here`: the address of the page. */
export function activityChart({ by, bars }: Activity, here: string): Html {
  const choice = PERIODS.map(
    (period) =>
      html`<li><a href="${here}?by=${period}"${period === by ? html` aria-current="true"` : NO_HTML}>${period}</a></li>`,
  );
  return html`<div class="heading"><h2>Changes over time</h2><ul class="choice" aria-label="Added up by">${choice}</ul></div>
${barChart(bars.map(shownBar), { title: `Changes by ${by}`, one: 'change' })}
`;
}

function shownBar({ from, creates, updates, deletes }: ActivityBar) {
  const value = creates + updates + deletes;
  const note = `${count(creates)} created, ${count(updates)} updated, ${count(deletes)} deleted`;
  return { label: from, value, ...(value > 0 && { note }) };
}
