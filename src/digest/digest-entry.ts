import { type HtmlBlock, type HtmlInline, list } from '../codecs/atom/html.ts';
import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import type { AtomEntry } from '../codecs/atom/wire.ts';
import type { Change } from '../model/change.ts';
import { capped, digestPage, nameOfPage, type PageOptions } from './digest-page.ts';
import { digestTitle } from './digest-title.ts';
import { type Effect, type PageNews, pageNewsOf } from './page-news.ts';
import { shownText } from './shown-text.ts';

export interface DigestOptions {
  /** An IRI that names this run, and no other. */
  readonly id: string;
  readonly updatedMs: number;
  /** What the site or the collection is called, where the title of the entry is to say it. */
  readonly about?: string;
  /** Where the entry leads, unless it tells of one page only. */
  readonly url?: string;
  /** Nothing was known before: all that is there is told of, not what became of it. */
  readonly isFirst?: boolean;
  /** So many pages are named; of the others only their number is told. */
  readonly maxPages?: number;
  /** Whether people may be led to a page. Those that are gone are never linked. */
  readonly linkable?: (url: string) => boolean;
}

const MAX_PAGES = 100;
/** So many pages of a group are named, however many there are in those before it. */
const ROOM_FOR_EACH = 10;
/** So many characters of the pages one entry quotes. */
const MAX_QUOTED = 30_000;
const MAX_SUMMARY = 1000;

const HEADINGS: readonly (readonly [Effect, string, string])[] = [
  ['created', 'New page', 'New pages'],
  ['updated', 'Changed page', 'Changed pages'],
  ['deleted', 'Removed page', 'Removed pages'],
  ['came-and-went', 'Came and went', 'Came and went'],
];

/**
 * What changed in one run, for people: the pages by what became of them, with their sections, and below them what was said of an
 * API. The same changes give the same entry, always. Texts of the pages stay texts.
 *
 * @example
 * const entry = encodeAtomEntry(digestEntry(run.changes, { id: stableId(site, last.id), updatedMs, url: site }));
 */
export function digestEntry(changes: readonly Change[], options: DigestOptions): AtomEntry {
  const pages = inOrder(pageNewsOf(changes.filter(({ kind }) => kind === 'page')));
  const endpoints = changes.filter(({ kind }) => kind === 'endpoint');
  const linkable = options.linkable ?? (() => true);
  const url = singlePage(pages, endpoints, linkable) ?? options.url;
  const { maxPages = MAX_PAGES, isFirst = false, about } = options;
  return {
    id: options.id,
    title: digestTitle(
      pages,
      { facts: endpoints.length, names: namesOf(pages, endpoints, linkable) },
      { isFirst, about },
    ),
    updatedMs: options.updatedMs,
    publishedMs: options.updatedMs,
    ...(url !== undefined && { url }),
    content: [
      ...pageGroups(pages, { maxPages, isFirst }, { linkable, mayQuote: quotingUpTo(isFirst ? 0 : MAX_QUOTED) }),
      ...endpointGroup(endpoints, maxPages),
    ],
  };
}

function* namesOf(
  pages: readonly PageNews[],
  endpoints: readonly Change[],
  linkable: (url: string) => boolean,
): Generator<string, void> {
  for (const news of pages) yield nameOfPage(news, linkable(news.url));
  for (const endpoint of endpoints) yield nameOfEndpoint(endpoint);
}

/** New ones first, then as in the log. */
function inOrder(pages: readonly PageNews[]): PageNews[] {
  return HEADINGS.flatMap(([effect]) => pages.filter((news) => news.effect === effect));
}

/** Where the entry tells of one page that is there, it leads to it. */
function singlePage(
  pages: readonly PageNews[],
  endpoints: readonly Change[],
  linkable: (url: string) => boolean,
): string | undefined {
  const [page] = pages;
  if (page === undefined || pages.length > 1 || endpoints.length > 0) return undefined;
  const isThere = page.effect === 'created' || page.effect === 'updated';
  return isThere && linkable(page.url) ? strictHttpUrl(page.url) : undefined;
}

function pageGroups(
  pages: readonly PageNews[],
  { maxPages, isFirst }: Required<Pick<DigestOptions, 'maxPages' | 'isFirst'>>,
  options: PageOptions,
): HtmlBlock[] {
  let room = maxPages;
  const sizes = HEADINGS.map(([effect]) => pages.filter((news) => news.effect === effect).length);
  return HEADINGS.flatMap(([effect, one, many], at) => {
    const group = pages.filter((news) => news.effect === effect);
    if (group.length === 0) return [];
    const reserved = sizes.slice(at + 1).reduce((sum, size) => sum + Math.min(size, ROOM_FOR_EACH), 0);
    const most = Math.min(group.length, Math.max(room - reserved, Math.min(room, ROOM_FOR_EACH), 1));
    room -= most;
    const named = group.slice(0, most).map((news) => digestPage(news, options));
    const others = group.length > most ? [[`and ${group.length - most} more`]] : [];
    // Where nothing was known before, all pages are new, and none is.
    const isAll = isFirst && effect === 'created' && group.length === pages.length;
    const [single, several] = isAll ? ['Page', 'Pages'] : [one, many];
    return [heading(group.length === 1 ? single : several), list([...named, ...others])];
  });
}

function endpointGroup(endpoints: readonly Change[], most: number): HtmlBlock[] {
  if (endpoints.length === 0) return [];
  const items = capped(endpoints, most, 'facts', (change) => {
    const name: HtmlInline = { tag: 'strong', children: [nameOfEndpoint(change)] };
    const told = shownText(change.summary ?? change.note ?? '', MAX_SUMMARY);
    return told === '' ? [name] : [name, { tag: 'br' }, told];
  });
  return [heading('API'), list(items)];
}

function nameOfEndpoint({ title, url }: Change): string {
  return nameOfPage({ url, ...(title !== undefined && { title }) }, true);
}

function heading(text: string): HtmlBlock {
  return { tag: 'h3', children: [text] };
}

function quotingUpTo(most: number): (characters: number) => boolean {
  let left = most;
  return (characters) => {
    if (characters > left) return false;
    left -= characters;
    return true;
  };
}
