import { matchesGlob, type PathGlob, pathOf, readPathGlob } from '../../extract/rules/path-glob.ts';
import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { ChangeSearch, FoundChanges, FoundPages, PagesQuery } from './catalogue.ts';
import type { EntryMatch, PageEntry, SeqRange } from './catalogue-tables.ts';
import { globWords, wordsOf } from './change-words.ts';
import { pagesOfEntries, pagingOf, type ReadParts } from './read-pages.ts';

export interface FindParts extends ReadParts {
  readonly store: Pick<HubStore, 'changesAt' | 'seqBefore'>;
  readonly elapsedMs: () => number;
}

/** How long a search continues before it answers with what it has. */
const MOST_MS = 6;
/** How many results of the index are examined in one search. */
const MOST_LOOKED_AT = 1000;
/** How many of them together. */
const AT_ONCE = 50;
const NOTHING: FoundChanges = { changes: [] };

/** Searches from the newest change, within its limits: `older` then says where to continue. */
export async function findChanges(search: ChangeSearch, parts: FindParts): Promise<FoundChanges> {
  const { before, limit } = pagingOf(search);
  const { words = '', source, action, kind, path, fromMs, toMs } = search;
  const glob = path === undefined ? undefined : globOf(path);
  if (path !== undefined && glob === undefined) return NOTHING;
  const wanted = wordsOf(words);
  // Signs alone are no words: nothing has them.
  if (words.trim() !== '' && wanted.length === 0) return NOTHING;
  const match = { beginnings: wanted, wholes: path === undefined ? [] : globWords(path), source, action, kind };
  const after = fromMs === undefined ? 0 : await parts.store.seqBefore(fromMs);
  const end = toMs === undefined ? before : Math.min(before, (await parts.store.seqBefore(toMs)) + 1);

  const walked = { match, range: { after, before: end }, limit, seqOf: ({ seq }: Change) => seq };
  const { items, ...rest } = await walk(walked, parts, async (seqs) => {
    const changes = await parts.store.changesAt(seqs);
    return glob === undefined ? changes : changes.filter(({ url }) => isBelow(glob, url));
  });
  return { changes: items, ...rest };
}

/** The pages whose newest change has the words. */
export async function findPages(query: PagesQuery, parts: FindParts): Promise<FoundPages> {
  const { before, limit } = pagingOf(query);
  const { words = '', source } = query;
  const match = { beginnings: wordsOf(words), wholes: [], source };
  if (words.trim() !== '' && match.beginnings.length === 0) return { pages: [] };
  const walked = { match, range: { after: 0, before }, limit, seqOf: ({ last }: PageEntry) => last };
  const { items, ...rest } = await walk(walked, parts, async (seqs) =>
    seqs.flatMap((seq) => parts.tables.pageOfLast(seq) ?? []),
  );
  return { pages: await pagesOfEntries(items, parts.store), ...rest };
}

interface Walk<Item> {
  readonly match: EntryMatch;
  readonly range: SeqRange;
  readonly limit: number;
  readonly seqOf: (item: Item) => number;
}

interface Walked<Item> extends Pick<FoundChanges, 'older' | 'isCut'> {
  readonly items: readonly Item[];
}

/** Applies `look` to the changes that the index gives, newest first, until the page is full, everything was examined, or a limit is reached. */
async function walk<Item>(
  { match, range, limit, seqOf }: Walk<Item>,
  { tables, elapsedMs }: FindParts,
  look: (seqs: readonly number[]) => Promise<readonly Item[]>,
): Promise<Walked<Item>> {
  const endMs = elapsedMs() + MOST_MS;
  const items: Item[] = [];
  let lookedAt = 0;
  const isOver = () => lookedAt >= MOST_LOOKED_AT || elapsedMs() >= endMs;
  for (const { seqs, down } of tables.matches(match, range)) {
    for (let at = 0; at < seqs.length; at += AT_ONCE) {
      const some = seqs.slice(at, at + AT_ONCE);
      items.push(...(await look(some)));
      lookedAt += some.length;
      const last = items[limit - 1];
      if (items.length > limit && last !== undefined) return { items: items.slice(0, limit), older: seqOf(last) };
      if (isOver() && at + AT_ONCE < seqs.length) return { items, older: some.at(-1) ?? down, isCut: true };
    }
    if (isOver() && down > range.after + 1) return { items, older: down, isCut: true };
  }
  return { items };
}

function globOf(path: string): PathGlob | undefined {
  const read = readPathGlob(path);
  return read.ok ? read.value : undefined;
}

function isBelow(glob: PathGlob, url: string): boolean {
  const path = pathOf(url);
  return path !== undefined && matchesGlob(glob, path);
}
