import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import {
  type CataloguedPage,
  type CataloguedSection,
  type FoundChanges,
  type FoundPages,
  type LastChange,
  MOST_LISTED,
  type PagesQuery,
  type Paging,
  type TimelineQuery,
} from './catalogue.ts';
import { sectionsOfChange } from './catalogue-entry.ts';
import type { CatalogueTables, PageEntry } from './catalogue-tables.ts';

export interface ReadParts {
  readonly tables: CatalogueTables;
  readonly store: Pick<HubStore, 'changesAt'>;
}

const USUAL_LIMIT = 50;

/** Hashes of names may be the same; the log says whose a change is. */
export async function readTimeline(query: TimelineQuery, { tables, store }: ReadParts): Promise<FoundChanges> {
  const { before, limit } = pagingOf(query);
  const seqs = tables.timeline(query, before, limit + 1);
  const shown = seqs.slice(0, limit);
  const { url, anchor } = query;
  const changes = (await store.changesAt(shown)).filter(
    (change) => change.url === url && (anchor === undefined || sectionsOfChange(change).includes(anchor)),
  );
  return { changes, ...olderThan(shown, seqs.length > limit) };
}

export async function readPageList(query: PagesQuery, { tables, store }: ReadParts): Promise<FoundPages> {
  const { before, limit } = pagingOf(query);
  const found = tables.pages(query.source, before, limit + 1);
  const shown = found.slice(0, limit);
  const lasts = shown.map(({ last }) => last);
  return { pages: await pagesOfEntries(shown, store), ...olderThan(lasts, found.length > limit) };
}

/** With the data of their newest changes in the log. */
export async function pagesOfEntries(
  entries: readonly PageEntry[],
  store: ReadParts['store'],
): Promise<readonly CataloguedPage[]> {
  const changes = await changesBySeq(
    entries.map(({ last }) => last),
    store,
  );
  return entries.flatMap(({ last, changes: number }) => {
    const change = changes.get(last);
    if (change === undefined) return [];
    const { url, title } = change;
    return { url, ...(title !== undefined && { title }), changes: number, last: lastOf(change) };
  });
}

export async function readSectionList(
  source: string,
  url: string,
  { tables, store }: ReadParts,
): Promise<readonly CataloguedSection[]> {
  const entries = tables.sections(source, url, MOST_LISTED);
  const changes = await changesBySeq(
    entries.map(({ last }) => last),
    store,
  );
  return entries.flatMap(({ last, isNamed }) => {
    const change = changes.get(last);
    const anchor = change && sectionsOfChange(change).find(isNamed);
    if (change === undefined || anchor === undefined || change.url !== url) return [];
    const heading = change.anchor === undefined ? undefined : change.heading;
    return { anchor, ...(heading !== undefined && { heading }), last: lastOf(change) };
  });
}

/** Within their bounds. */
export function pagingOf({ before = Number.MAX_SAFE_INTEGER, limit = USUAL_LIMIT }: Paging) {
  return { before, limit: Math.max(1, Math.min(MOST_LISTED, Math.trunc(limit))) };
}

function olderThan(seqs: readonly number[], hasMore: boolean): { readonly older?: number } {
  const last = seqs.at(-1);
  return hasMore && last !== undefined ? { older: last } : {};
}

async function changesBySeq(seqs: readonly number[], store: ReadParts['store']): Promise<Map<number, Change>> {
  return new Map((await store.changesAt([...new Set(seqs)])).map((change) => [change.seq, change]));
}

function lastOf({ seq, id, time, action }: Change): LastChange {
  return { seq, id, time, action };
}
