import type { SourceConfig } from '../../config/source-config.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { counted } from '../../http/html-pieces.ts';
import { placeText } from '../../source-lists/place-text.ts';
import type { SkippedSource } from '../../source-lists/source-import.ts';
import type { RefusalWords } from '../form.ts';
import type { FrameFacts, HubPage } from '../page-frame.ts';
import { actionForm, hidden } from '../pieces.ts';

interface ListFields {
  readonly list: string;
  readonly problem?: RefusalWords;
}

/** As the API answers a dry run. */
export interface PlannedSources {
  readonly sources: readonly SourceConfig[];
  readonly existing: readonly string[];
  readonly skipped?: readonly SkippedSource[];
}

const SHOWN = 200;
const MAX_PROBLEM = 500;

/** Many sources at once, from a list that is pasted. */
export function listForm({ list, problem }: ListFields, { root, viewer }: FrameFacts): Html {
  const wrong = problem === undefined ? NO_HTML : html` aria-invalid="true" aria-describedby="list-problem"`;
  const inside = html`<div class="wide"><label for="list">One address on each line, OPML of a feed reader, a sitemap, or an export of sources</label><textarea id="list" name="list" rows="8" spellcheck="false" required${wrong}>${list}</textarea>
${problem === undefined ? NO_HTML : html`<p class="wrong" id="list-problem" role="alert">${outsideText(problem.detail, MAX_PROBLEM)}</p>`}</div>
<p class="actions"><button>Show what would be added</button></p>`;
  return html`<h2>Add many at once</h2>
${actionForm(`${root}add/list`, viewer, inside)}`;
}

export function refusedListPage(fields: ListFields, asked: FrameFacts): HubPage {
  return { title: 'Add sources', place: 'add', main: html`<h1>Add sources</h1>\n${listForm(fields, asked)}` };
}

/** What would be added. */
export function planPage(
  { sources, existing, skipped = [] }: PlannedSources,
  list: string,
  asked: FrameFacts,
): HubPage {
  const { root, viewer } = asked;
  const add = actionForm(`${root}add/import`, viewer, [
    hidden('list', list),
    html`<button class="main">Watch ${counted(sources.length, 'source')}</button>`,
  ]);
  return {
    title: 'Add sources',
    place: 'add',
    main: html`<h1>Add sources</h1>
<p>${counted(sources.length, 'source')} would be added. ${existing.length === 0 ? '' : `${counted(existing.length, 'source')} in the list ${existing.length === 1 ? 'is' : 'are'} watched already. `}${skipped.length === 0 ? '' : `${counted(skipped.length, 'line')} cannot be watched.`}</p>
${sources.length === 0 ? NO_HTML : html`<div class="actions">${add}</div>\n${planTable(sources)}`}
${leftOut(existing, skipped)}
<details><summary>Change the list</summary>${listForm({ list }, asked)}</details>`,
  };
}

function planTable(sources: readonly SourceConfig[]): Html {
  const more = sources.length - SHOWN;
  return html`<table>
<caption>${more > 0 ? `The first ${SHOWN}, and ${more} more.` : 'What would be watched.'}</caption>
<thead><tr><th scope="col">Id</th><th scope="col">Kind</th><th scope="col">Where</th><th scope="col">Title</th></tr></thead>
<tbody>
${sources.slice(0, SHOWN).map((source) => html`<tr><td><code>${outsideText(source.id)}</code></td><td data-label="kind">${source.kind}</td><td>${outsideText(placeText(source), 200)}</td><td>${outsideText(source.title ?? '')}</td></tr>\n`)}</tbody>
</table>`;
}

function leftOut(existing: readonly string[], skipped: readonly SkippedSource[]): Html {
  if (existing.length + skipped.length === 0) return NO_HTML;
  return html`<h2>Left out</h2>
<ul>${existing.slice(0, SHOWN).map((place) => html`<li>${outsideText(place, 200)}: watched already</li>`)}${skipped.slice(0, SHOWN).map(({ what, reason }) => html`<li>${outsideText(what, 200)}: ${outsideText(reason, 200)}</li>`)}</ul>`;
}
