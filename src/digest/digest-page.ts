import { type HtmlBlock, type HtmlInline, link, list, oldAndNew } from '../codecs/atom/html.ts';
import type { Change } from '../model/change.ts';
import { digestMoments } from './digest-moments.ts';
import { noteWords } from './note-words.ts';
import type { PageNews } from './page-news.ts';
import { hostOf, nameOfAnchor, nameOfUrl, shownText } from './shown-text.ts';

export interface PageOptions {
  /** Whether a page may be linked. */
  readonly linkable: (url: string) => boolean;
  /** Whether this many more characters of the pages may be quoted. */
  readonly mayQuote: (characters: number) => boolean;
}

type Item = readonly (HtmlInline | HtmlBlock)[];

const BREAK: HtmlInline = { tag: 'br' };
const MAX_NAME = 120;
const MAX_SUMMARY = 500;
/** A cut excerpt shows how a text begins. */
const MAX_BEGINNING = 200;
/** A text up to this length is shown completely, so that the old and the new one can be compared. */
const MAX_COMPARED = 300;
const MAX_SECTIONS = 20;
const MAX_MOMENTS = 10;

/** The name of the page for people, with its host if it is not linked. */
export function nameOfPage({ title, url }: Pick<PageNews, 'title' | 'url'>, isLinkable: boolean): string {
  const name = title === undefined ? '' : shownText(title, MAX_NAME);
  if (isLinkable) return name === '' ? nameOfUrl(url, MAX_NAME) : name;
  const host = hostOf(url);
  if (name !== '') return `${name} (${host})`;
  const path = nameOfUrl(url, MAX_NAME);
  return path.startsWith('/') ? host + path : host;
}

/** One page as a list item: its name, remarks about the whole page, its sections, and when it changed if it did several times. */
export function digestPage(news: PageNews, options: PageOptions): Item {
  const { url, effect, changes } = news;
  const isThere = effect === 'created' || effect === 'updated';
  const leadsTo = (target: string, name: string) => (isThere && options.linkable(url) ? link(target, name) : name);
  const remarks = changes.flatMap((change) => (change.anchor === undefined ? remarksOf(change) : []));
  const sections = capped(lastOfEach(changes), MAX_SECTIONS, 'sections', (change) =>
    sectionItem(change, leadsTo, options),
  );
  const { single, several } = digestMoments(changes);
  const moments = capped(several, MAX_MOMENTS, 'times', (text) => [text]);
  const details = [...unique(remarks), ...sections, ...moments];
  return [
    leadsTo(url, nameOfPage(news, options.linkable(url))),
    ...(single === undefined ? [] : [` (${single})`]),
    ...(effect === 'created' ? beginningOf(changes.findLast(isWhole), options) : []),
    ...(details.length > 0 ? [list(details)] : []),
  ];
}

/** As many items as there is room for, and the number of the others. */
export function capped<One>(all: readonly One[], most: number, what: string, itemOf: (one: One) => Item): Item[] {
  const items = all.slice(0, most).map(itemOf);
  return all.length <= most ? items : [...items, [`and ${all.length - most} more ${what}`]];
}

function isWhole({ anchor }: Change): boolean {
  return anchor === undefined;
}

/** A summary is written for people, a note for machines. */
function remarksOf({ summary, note }: Change): Item[] {
  const told = summary === undefined ? '' : shownText(summary, MAX_SUMMARY);
  if (told !== '') return [[told]];
  return note === undefined ? [] : noteWords(note);
}

/** The last change of each section, with its text before the first. */
function lastOfEach(changes: readonly Change[]): Change[] {
  const sections = new Map<string, Change>();
  for (const change of changes) {
    if (change.anchor === undefined) continue;
    const first = sections.get(change.anchor);
    const isStillNew = first?.action === 'create' && change.action === 'update';
    const { before: _, ...last } = change;
    const before = first === undefined ? change.before : first.before;
    sections.set(change.anchor, {
      ...last,
      ...(isStillNew && { action: 'create' }),
      ...(before !== undefined && { before }),
    });
  }
  return [...sections.values()];
}

function sectionItem(
  change: Change,
  leadsTo: (target: string, name: string) => HtmlInline,
  options: PageOptions,
): Item {
  const { url, anchor = '', action } = change;
  const name = shownText(change.heading ?? '', MAX_NAME) || nameOfAnchor(anchor, MAX_NAME) || nameOfUrl(url, MAX_NAME);
  if (action === 'delete') return [name, ': removed', ...remarks(change)];
  const place = leadsTo(`${url}#${anchor}`, name);
  if (action === 'create') return [place, ': new', ...beginningOf(change, options), ...remarks(change)];
  return [place, ...comparisonOf(change, options), ...remarks(change)];
}

function remarks(change: Change): Item {
  const told = remarksOf(change);
  return told.length > 0 ? [list(told)] : [];
}

/** Only if both texts are complete: a partial one would show a false difference. */
function comparisonOf({ before, excerpt }: Change, { mayQuote }: PageOptions): Item {
  if (before === undefined || excerpt === undefined || excerpt.length > MAX_COMPARED) return [];
  const [was, is] = [shownText(before, MAX_COMPARED), shownText(excerpt, MAX_COMPARED)];
  return was !== is && mayQuote(was.length + is.length) ? [BREAK, ...oldAndNew(was, is)] : [];
}

function beginningOf(change: Change | undefined, { mayQuote }: PageOptions): Item {
  const text = shownText(change?.excerpt ?? '', MAX_BEGINNING);
  return text !== '' && mayQuote(text.length) ? [BREAK, text] : [];
}

/** Each remark once, in its order. */
function unique(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
