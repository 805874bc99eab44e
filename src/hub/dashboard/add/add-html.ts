import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import type { SourcePreview } from '../../preview/source-preview.ts';
import type { FrameFacts, HubPage } from '../page-frame.ts';
import type { AddFacts } from './add-facts.ts';
import { foundHtml } from './found-html.ts';
import { listForm } from './list-html.ts';
import { pagesHtml } from './pages-html.ts';
import { type WatchFields, watchForm } from './watch-html.ts';

const MAX_PROBLEM = 500;

/** The page in all its steps. `typed`: what somebody has filled in already. */
export function addPage(
  { url = '', preview, problem }: AddFacts,
  asked: FrameFacts,
  typed: Partial<WatchFields> = {},
): HubPage {
  return {
    title: 'Add a source',
    place: 'add',
    main: html`<h1>Add a source</h1>
${addressForm(url, asked, problem)}
${preview === undefined ? NO_HTML : previewHtml(preview, asked, typed)}
${preview === undefined ? listForm({ list: '' }, asked) : NO_HTML}`,
  };
}

/** Where rules or settings were refused: what was filled in, with what is wrong beside it. The site is not looked at for that. */
export function refusedPage(fields: WatchFields, asked: FrameFacts): HubPage {
  return {
    title: 'Add a source',
    place: 'add',
    main: html`<h1>Add a source</h1>
${addressForm(fields.url, asked)}
${watchForm(fields, asked)}`,
  };
}

function addressForm(url: string, { root }: FrameFacts, problem?: string): Html {
  const isWrong = problem !== undefined;
  const wrong = isWrong ? html` aria-invalid="true" aria-describedby="url-problem"` : NO_HTML;
  return html`<form class="fields" method="get" action="${root}add" data-reading>
<div class="wide"><label for="url">Address of a site, a page or a feed</label><input id="url" name="url" type="text" inputmode="url" autocomplete="url" required value="${url}" placeholder="https://docs.example/"${wrong}></div>
<button class="main">Look at it</button>
<p class="reading" role="status" hidden>The site is being read. This takes up to half a minute: its pages are asked for one by one.</p>
</form>
${isWrong ? html`<p class="wrong" id="url-problem" role="alert">${outsideText(problem, MAX_PROBLEM)}</p>` : NO_HTML}`;
}

function previewHtml(preview: SourcePreview, asked: FrameFacts, typed: Partial<WatchFields>): Html {
  const { source, url } = preview;
  const fields: WatchFields = {
    url,
    place: placeOf(source),
    id: source.id,
    title: source.title ?? '',
    interval: source.intervalSeconds === undefined ? '' : String(source.intervalSeconds),
    ignore: source.ignore ?? [],
    only: source.only ?? [],
    ...typed,
  };
  return html`${foundHtml(preview, asked)}
${watchForm(fields, asked, pagesHtml(preview, fields.ignore))}`;
}

/** What of a setting nobody fills in. */
function placeOf({
  id: _,
  title: __,
  intervalSeconds: ___,
  ignore: ____,
  only: _____,
  ...place
}: SourcePreview['source']): string {
  return JSON.stringify(place);
}
