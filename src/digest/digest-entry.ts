import { type HtmlBlock, type HtmlInline, list } from '../codecs/atom/html.ts';
import { strictHttpUrl } from '../codecs/atom/http-url.ts';
import type { AtomEntry } from '../codecs/atom/wire.ts';
import type { Change } from '../model/change.ts';
import { capped, digestPage, nameOfPage, type PageOptions } from './digest-page.ts';
import { digestTitle } from './digest-title.ts';
import { type Effect, gatherNews, type PageNews, type RunNews } from './page-news.ts';
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
  const steps = digestSteps(changes, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** As {@link digestEntry}, in steps of some changes each, for whoever must not hold up others. */
export function* digestSteps(changes: readonly Change[], options: DigestOptions): Generator<void, AtomEntry> {
  const { pages: groups, endpoints } = yield* gatherNews(changes);
  // New ones first, then as in the log.
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
    // Where nothing was known before, all pages are new, and none is.
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
