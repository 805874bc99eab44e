import type { SearchHit } from '../../../mcp/mcp-ports.ts';
import { type Html, html, NO_HTML, outsideText } from '../../http/html.ts';
import { counted } from '../../http/html-pieces.ts';
import { changeTable, outside } from '../changes/change-line.ts';
import { timelinePath } from '../changes/timeline-path.ts';
import { emptyState, pager } from '../pieces.ts';
import type { SearchFacts, SearchFeed, TextsState } from './search-facts.ts';
import { SEARCH_ACTIONS, SEARCH_KINDS, type SearchFields, searchQuery } from './search-fields.ts';

const SNIPPET = 300;

export function searchHtml(facts: SearchFacts, root: string): Html {
  return html`<h1>Search</h1>
${fieldsForm(facts.search, root)}
${facts.behind > 0 && html`<p class="faint">${counted(facts.behind, 'change')} of the log ${facts.behind === 1 ? 'is' : 'are'} not in the index yet. The newest are taken over last.</p>`}
${facts.pages === undefined ? NO_HTML : pagesSection(facts.pages, root)}
${changesSection(facts, root)}
${feedsSection(facts, root)}`;
}

function fieldsForm(search: SearchFields, root: string): Html {
  const { q = '', source = '', action, kind, path = '', from = '', to = '' } = search;
  return html`<form class="fields" method="get" action="${root}search" role="search">
<div><label for="q">Words</label><input id="q" name="q" type="search" value="${q}"></div>
<div><label for="source">Source</label><input id="source" name="source" value="${source}"></div>
<div><label for="action">Action</label>${choice('action', SEARCH_ACTIONS, action)}</div>
<div><label for="kind">Kind</label>${choice('kind', SEARCH_KINDS, kind)}</div>
<div><label for="path">Path</label><input id="path" name="path" value="${path}" placeholder="/guide/**"></div>
<div><label for="from">From</label><input id="from" name="from" type="date" value="${from.slice(0, 10)}"></div>
<div><label for="to">To</label><input id="to" name="to" type="date" value="${to.slice(0, 10)}"></div>
<button>Search</button>
</form>`;
}

function choice(name: string, words: readonly string[], chosen: string | undefined): Html {
  return html`<select id="${name}" name="${name}"><option value="">any</option>${words.map((word) => html`<option${word === chosen ? html` selected` : NO_HTML}>${word}</option>`)}</select>`;
}

const TEXT_NOTES: Readonly<Record<TextsState, string | undefined>> = {
  whole: undefined,
  partial: 'There are more pages than are looked through here; “tidings sync” makes an index of all.',
  preparing: 'The texts of the pages are being read. Search again in a moment.',
  none: 'This hub holds no texts of pages: its sources are feeds, or nothing was read yet.',
};

function pagesSection({ state, hits }: NonNullable<SearchFacts['pages']>, root: string): Html {
  const note = TEXT_NOTES[state];
  return html`<section id="pages">
<h2>Pages as they are now</h2>
${note === undefined ? NO_HTML : html`<p class="faint">${note}</p>`}
${hits.length > 0 ? html`<ol class="hits">${hits.map((hit) => hitHtml(hit, root))}</ol>` : state === 'whole' && html`<p class="faint">No page has these words now.</p>`}
</section>`;
}

function hitHtml({ url, anchor, title, heading, snippet, source }: SearchHit, root: string): Html {
  const address = anchor === '' ? url : `${url}#${anchor}`;
  const name = [title, heading].filter((part) => part.trim() !== '').join(' › ') || address;
  const versions = timelinePath({ source, url, ...(anchor !== '' && { anchor }) });
  return html`<li><p>${outside(address, name)} <span class="faint">in ${outsideText(source)}</span> <a href="${root}${versions}">${anchor === '' ? 'All versions of this page' : 'All versions of this section'}</a></p><p class="faint">${outsideText(snippet, SNIPPET)}</p></li>`;
}

function changesSection({ search, changes, older, isCut }: SearchFacts, root: string): Html {
  const hasSearch = Object.keys(search).length > 0;
  const caption = `${counted(changes.length, 'change')}, newest first.`;
  return html`<section id="changes">
<h2>Changes</h2>
${
  changes.length > 0
    ? changeTable(changes, caption, root)
    : isCut
      ? emptyState('No change fits so far.', 'Look further back, or name fewer things.')
      : emptyState(
          hasSearch ? 'No change fits.' : 'Nothing has changed yet.',
          hasSearch && 'Name fewer things, or other words.',
        )
}
${isCut && html`<p class="faint">There is more of the log that was not looked through yet.</p>`}
${pager({ older: older === undefined ? undefined : `${root}search${searchQuery(search, { before: String(older) })}` })}
</section>`;
}

function feedsSection({ search, feeds }: SearchFacts, root: string): Html {
  return html`<section id="feeds">
<h2>This search as a feed</h2>
<p class="faint">Keep the <a href="${root}search${searchQuery(search)}">address of this search</a>, or follow what will fit it.</p>
<ul>${feeds.map((feed) => feedHtml(feed, root))}</ul>
</section>`;
}

const FIELD_WORDS: Readonly<Record<string, string>> = { q: 'words', from: 'dates', to: 'dates' };

function feedHtml({ words, path, without }: SearchFeed, root: string): Html {
  const left = [...new Set(without.map((name) => FIELD_WORDS[name] ?? name))];
  return html`<li>${words}: <a href="${root}${path}">${outsideText(path, 200)}</a>${left.length > 0 && html` <span class="faint">(without ${left.join(' and ')})</span>`}</li>`;
}
