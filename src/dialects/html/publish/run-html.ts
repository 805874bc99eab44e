import { encodeHtml } from '../../../codecs/atom/html.ts';
import { percentDecoded } from '../../../codecs/primitives/percent-decoded.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { nameOfPage } from '../../../digest/digest-page.ts';
import { digestTitle } from '../../../digest/digest-title.ts';
import { noteWords } from '../../../digest/note-words.ts';
import { gatherNews, type PageNews } from '../../../digest/page-news.ts';
import { nameOfAnchor, shownText } from '../../../digest/shown-text.ts';
import { changedTextHtml } from '../../../hub/http/changed-text.ts';
import { Html, html, NO_HTML, outsideText } from '../../../hub/http/html.ts';
import { badge, counted, timeHtml } from '../../../hub/http/html-pieces.ts';
import type { Run } from '../../../log/runs-of.ts';
import { anchorFragment } from '../../../model/anchor-fragment.ts';
import type { Change } from '../../../model/change.ts';

export interface ShownRunPlace {
  readonly site: URL;
  /** Nothing was known before, so pages are counted and not listed. */
  readonly isFirst: boolean;
}

/** How many changes of one run are shown; the others are only counted. */
const MAX_SHOWN = 50;
const MAX_NAME = 200;
const MAX_SUMMARY = 500;

/** What one publish changed. The same run always gives the same bytes. It contains no nested section. */
export function runHtml(run: Run, { site, isFirst }: ShownRunPlace): Html {
  const { pages, endpoints } = gathered(run.changes);
  const names = [...pages.map((news) => nameOfPage(news, true)), ...endpoints.map(({ title = '' }) => title)];
  const told = digestTitle(pages, { facts: endpoints.length, names }, { isFirst, about: undefined });
  const shown = isFirst ? [] : pages.flatMap((news) => news.changes.map((change) => changeItem(change, news, site)));
  const items = [...shown, ...endpoints.map(endpointItem)];
  const left = items.length - MAX_SHOWN;
  return html`<section class="run" id="${runId(run)}">
<h2>${timeHtml(parseTime(run.time))}</h2>
<p>${outsideText(told, MAX_NAME)}</p>
${items.length === 0 ? NO_HTML : html`<ul class="changes">\n${items.slice(0, MAX_SHOWN)}</ul>\n`}${left > 0 ? html`<p class="faint">and ${counted(left, 'more change')}</p>\n` : NO_HTML}</section>
`;
}

/** The id of the run within its page. */
export function runId({ changes }: Run): string {
  return `r-${changes.at(-1)?.id ?? ''}`;
}

/** How much of a page a run takes, in changes. */
export function runWeight({ changes }: Run): number {
  return 1 + Math.min(changes.length, MAX_SHOWN);
}

function gathered(changes: readonly Change[]): {
  readonly pages: readonly PageNews[];
  readonly endpoints: readonly Change[];
} {
  const steps = gatherNews(changes);
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const { pages, endpoints } = step.value;
    return { pages: [...pages.values()].flat(), endpoints };
  }
}

function changeItem(change: Change, news: PageNews, site: URL): Html {
  const { url, anchor, action, note, summary } = change;
  const path = pathBelow(url, site);
  const section =
    anchor === undefined ? '' : shownText(change.heading ?? '', MAX_NAME) || nameOfAnchor(anchor, MAX_NAME);
  const name = [nameOfPage({ ...news, url }, true), section].filter((part) => part !== '').join(' › ');
  const href = action === 'delete' && anchor === undefined ? undefined : relativeAddress(change, path);
  const notes = note === undefined ? [] : noteWords(note);
  return html`<li data-path="${shownPath(path)}">
<h3>${href === undefined ? outsideText(name, MAX_NAME) : html`<a href="${href}">${outsideText(name, MAX_NAME)}</a>`} ${badge(WORDS[action], action)}</h3>
${changedTextHtml(change)}${summary === undefined ? NO_HTML : html`<p>${outsideText(summary, MAX_SUMMARY)}</p>\n`}${notes.map((words) => html`<p class="faint">${new Html(encodeHtml([{ tag: 'p', children: words }]).slice('<p>'.length, -'</p>'.length))}</p>\n`)}<p class="faint path">${outsideText(`${shownPath(path)}${anchor === undefined ? '' : `#${anchor}`}`, MAX_NAME)}</p>
</li>
`;
}

const WORDS = { create: 'new', update: 'changed', delete: 'removed' } as const;

function endpointItem({ title = '', url, summary, note = '' }: Change): Html {
  const name = shownText(title, MAX_NAME) || url;
  return html`<li data-path=""><h3>${outsideText(name, MAX_NAME)} ${badge('API', 'quiet')}</h3>
<p>${outsideText(summary ?? note, MAX_SUMMARY)}</p>
</li>
`;
}

/** The part of a URL after the address of the site; undefined for a URL elsewhere. */
function pathBelow(url: string, site: URL): string | undefined {
  return url.startsWith(site.href) ? url.slice(site.href.length) : undefined;
}

function shownPath(path: string | undefined): string {
  return path === undefined ? '' : `/${percentDecoded(path)}`;
}

/** From the page to another page of its site. Works on a disk too, and never names a scheme. */
function relativeAddress(change: Change, path: string | undefined): string | undefined {
  return path === undefined ? undefined : `../${path}${anchorFragment(change)}`;
}
