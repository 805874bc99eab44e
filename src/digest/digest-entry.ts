import { type HtmlBlock, type HtmlInline, list } from '../codecs/atom/html.ts';
import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import type { AtomEntry } from '../codecs/atom/wire.ts';
import type { Change } from '../model/change.ts';
import { capped, digestPage, nameOfPage, type PageOptions } from './digest-page.ts';
import { digestTitle } from './digest-title.ts';
import { type Effect, gatherNews, type PageNews, type RunNews } from './page-news.ts';
import { shownText } from './shown-text.ts';

export interface DigestOptions {
  /** A unique IRI of this run. */
  readonly id: string;
  readonly updatedMs: number;
  /** The name of the site or collection, if the title of the entry should contain it. */
  readonly about?: string;
  /** The link of the entry, unless it is about a single page. */
  readonly url?: string;
  /** Nothing was known before: the entry lists what exists, not what happened. */
  readonly isFirst?: boolean;
  /** The maximum number of named pages; the others are only counted. */
  readonly maxPages?: number;
  /** Whether a page may be linked. Deleted pages are never linked. */
  readonly linkable?: (url: string) => boolean;
}

const MAX_PAGES = 100;
/** At least this many pages of a group are named, however many the groups before it have. */
const ROOM_FOR_EACH = 10;
/** The maximum number of characters of the pages that one entry quotes. */
const MAX_QUOTED = 30_000;
const MAX_SUMMARY = 1000;

const HEADINGS: readonly (readonly [Effect, string, string])[] = [
  ['created', 'New page', 'New pages'],
  ['updated', 'Changed page', 'Changed pages'],
  ['deleted', 'Removed page', 'Removed pages'],
  ['came-and-went', 'Came and went', 'Came and went'],
];

/**
 * What changed in one run, for people: the pages by what happened to them, with their sections, and below them the facts about an API. The same
 * changes always give the same entry. Texts of the pages stay plain text.
 *
 * @example
 * const entry = encodeAtomEntry(digestEntry(run.changes, { id: stableId(site, last.id), updatedMs, url: site }));
 */
export function digestEntry(changes: readonly Change[], options: DigestOptions): AtomEntry {
  const steps = digestSteps(changes, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like {@link digestEntry}, in steps of some changes each, for callers that must not block other work. */
export function* digestSteps(changes: readonly Change[], options: DigestOptions): Generator<void, AtomEntry> {
  const { pages: groups, endpoints } = yield* gatherNews(changes);
  // New pages first, then in log order.
  const pages = HEADINGS.flatMap(([effect]) => groups.get(effect) ?? []);
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
      ...pageGroups(groups, { maxPages, isFirst }, { linkable, mayQuote: quotingUpTo(isFirst ? 0 : MAX_QUOTED) }),
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

/** If the entry is about one existing page, it links to it. */
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
  groups: RunNews['pages'],
  { maxPages, isFirst }: Required<Pick<DigestOptions, 'maxPages' | 'isFirst'>>,
  options: PageOptions,
): HtmlBlock[] {
  let room = maxPages;
  const sizes = HEADINGS.map(([effect]) => groups.get(effect)?.length ?? 0);
  return HEADINGS.flatMap(([effect, one, many], at) => {
    const group = groups.get(effect) ?? [];
    if (group.length === 0) return [];
    const reserved = sizes.slice(at + 1).reduce((sum, size) => sum + Math.min(size, ROOM_FOR_EACH), 0);
    const most = Math.min(group.length, Math.max(room - reserved, Math.min(room, ROOM_FOR_EACH), 1));
    room -= most;
    const named = group.slice(0, most).map((news) => digestPage(news, options));
    const others = group.length > most ? [[`and ${group.length - most} more`]] : [];
    // If nothing was known before, all pages are listed without the word "new".
    const isAll = isFirst && effect === 'created' && groups.size === 1;
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
