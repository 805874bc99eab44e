import type { LastChange } from '../../catalogue/catalogue.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { badge, count, timeHtml } from '../../http/html-pieces.ts';
import { outside } from '../changes/change-line.ts';
import { emptyState, pager } from '../pieces.ts';
import type { AskedView } from '../view.ts';
import type { PageListFacts, PageSections, SourcePageLine, SourceSectionLine } from './page-list-facts.ts';

const MAX_TITLE = 200;

export function pageListHtml(facts: PageListFacts, { root }: AskedView): Html {
  const { id, title, page } = facts;
  const source = `${root}sources/${encodeURIComponent(id)}`;
  const here = `${source}/pages`;
  const links = { root, source: id, here };
  return html`<h1>Pages of ${outsideText(title, MAX_TITLE)}</h1>
<p><a href="${source}">Back to the source</a>${page !== undefined && html` · <a href="${here}">All of its pages</a>`}</p>
${page === undefined ? listed(facts, links) : sectionsOf(page, links)}`;
}

interface Links {
  readonly root: string;
  readonly source: string;
  /** The address of the list. */
  readonly here: string;
}

function listed(facts: PageListFacts, links: Links): Html {
  const { order, words = '', pages, before, after, isCut } = facts;
  const { here } = links;
  const other =
    order === 'changed'
      ? html`<a href="${here}?order=address">All that are there now, by address</a>`
      : html`<a href="${here}">Those that changed last</a>`;
  const older =
    before !== undefined
      ? `${here}?${new URLSearchParams({ ...(words && { q: words }), before: String(before) })}`
      : after === undefined
        ? undefined
        : `${here}?${new URLSearchParams({ order: 'address', after })}`;
  return html`<form class="fields" method="get" action="${here}" role="search">
<div><label for="q">Words of the title or the address</label><input id="q" name="q" type="search" value="${words}"></div>
<button>Show</button>
</form>
<p>${other}</p>
${pages.length === 0 ? nothing(facts) : pageTable(pages, CAPTIONS[order], links)}
${isCut ? html`<p class="faint">Not all was looked through yet: go on for more.</p>` : NO_HTML}${pager({ older })}`;
}

const CAPTIONS = {
  changed: 'What the log tells of, those that changed last first.',
  address: 'What is there now, in the order of addresses.',
} as const;

function nothing({ words, order }: PageListFacts): Html {
  if (words !== undefined) return emptyState('No page fits.');
  return order === 'changed'
    ? emptyState('The log tells of no page of this source yet.')
    : emptyState('No page of it is held here.', 'Of a source that is read by its feed a hub keeps no pages.');
}

function pageTable(pages: readonly SourcePageLine[], caption: string, links: Links): Html {
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Page</th><th scope="col">Last change</th><th scope="col" class="number">Changes</th><th scope="col">More</th></tr></thead>
<tbody>
${pages.map((page) => pageRow(page, links))}</tbody>
</table>`;
}

function pageRow({ url, title, changes, last, isHere }: SourcePageLine, { root, source, here }: Links): Html {
  const sections = `${here}?${new URLSearchParams({ url })}`;
  return html`<tr><td><a href="${sections}">${outsideText(title ?? url, MAX_TITLE)}</a>${goneMark(isHere)}<p class="faint">${outside(url)}</p></td><td data-label="changed">${lastHtml(last, root)}</td><td class="number" data-label="changes">${changes !== undefined && count(changes)}</td><td><a href="${timelineOf({ root, source }, url)}">Timeline</a></td></tr>
`;
}

function sectionsOf({ url, title, isHere, sections, more }: PageSections, links: Links): Html {
  return html`<h2>${outsideText(title ?? url, MAX_TITLE)}${goneMark(isHere)}</h2>
<p>${outside(url)} · <a href="${timelineOf(links, url)}">Timeline of the page</a></p>
${
  sections.length === 0
    ? emptyState('No section of it is known here.')
    : html`<table>
<caption>Its sections, in the order of the page.</caption>
<thead><tr><th scope="col">Section</th><th scope="col">Last change</th><th scope="col">More</th></tr></thead>
<tbody>
${sections.map((section) => sectionRow(section, url, links))}</tbody>
</table>`
}
${more > 0 ? html`<p class="faint">${count(more)} more are not shown.</p>` : NO_HTML}`;
}

function sectionRow({ anchor, heading, last, isHere }: SourceSectionLine, url: string, links: Links): Html {
  return html`<tr><td>${outsideText(heading ?? anchor, MAX_TITLE)}${goneMark(isHere)}<p class="faint"><code>#${outsideText(anchor)}</code></p></td><td data-label="changed">${lastHtml(last, links.root)}</td><td><a href="${timelineOf(links, url, anchor)}">Timeline</a></td></tr>
`;
}

function goneMark(isHere: boolean | undefined): Html {
  return isHere === false ? html` <span class="badge">gone</span>` : NO_HTML;
}

function lastHtml(last: LastChange | undefined, root: string): Html {
  if (last === undefined) return html`<span class="faint">not told yet</span>`;
  return html`${badge(last.action)} <a href="${root}changes/${encodeURIComponent(last.id)}">${timeHtml(Date.parse(last.time))}</a>`;
}

function timelineOf({ root, source }: Pick<Links, 'root' | 'source'>, url: string, anchor?: string): string {
  const query = new URLSearchParams({ source, url, ...(anchor !== undefined && { anchor }) });
  return `${root}timeline?${query}`;
}
