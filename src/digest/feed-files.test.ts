import { expect, test } from 'vitest';
import { validAtom } from '../../test/support/xml-validity.ts';
import { decodeAtomFeed } from '../codecs/atom/decode-feed.ts';
import { encodeAtomEntry } from '../codecs/atom/encode-entry.ts';
import { takeAtomEntries } from '../codecs/atom/take-entries.ts';
import { layOutFeed, type StaticFeed } from './feed-files.ts';

const entry = (at: number) => {
  const made = encodeAtomEntry({ id: `urn:x:${at}`, title: `Entry ${at}`, updatedMs: at * 60_000, content: [] });
  if (!made.ok) throw new Error(made.issues[0].message);
  return made.value;
};
/** Newest first. */
const entries = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => entry(last - at));

const FEED: StaticFeed = {
  head: { id: 'urn:x:feed', title: 'T', author: { name: 'A' }, hubUrls: ['https://hub.example/'] },
  entries: [],
  archived: 0,
  maxEntries: 4,
  pathOf: (archive) => (archive === undefined ? 'site.atom' : `site-${archive}.atom`),
  urlOf: (path) => `https://docs.example/${path}`,
};

function decoded(text = '') {
  const feed = decodeAtomFeed(text);
  const taken = takeAtomEntries(text);
  if (!feed.ok || !taken.ok) throw new Error('not a feed');
  const { items, ...head } = feed.value;
  return { ...head, titles: items.map(({ title }) => title) };
}

test('nothing is written while there is no entry', () => {
  expect(layOutFeed(FEED)).toEqual({ files: [], archived: 0 });
});

test('a feed that is full moves its older half to an archive, which the feed leads to', async () => {
  expect(layOutFeed({ ...FEED, entries: entries(1, 4) }).files.map(({ path }) => path)).toEqual(['site.atom']);
  const { files, archived } = layOutFeed({ ...FEED, entries: entries(1, 7) });
  expect([archived, ...files.map(({ path }) => path)]).toEqual([2, 'site-1.atom', 'site-2.atom', 'site.atom']);
  const [first, second, current] = files.map(({ text }) => decoded(text));
  expect(first).toMatchObject({
    isArchive: true,
    updatedMs: 120_000,
    selfUrl: 'https://docs.example/site-1.atom',
    currentUrl: 'https://docs.example/site.atom',
    titles: ['Entry 2', 'Entry 1'],
  });
  expect(first).not.toHaveProperty('prevArchiveUrl');
  expect(files[0]?.text).not.toContain('rel="hub"');
  expect(second).toMatchObject({ prevArchiveUrl: 'https://docs.example/site-1.atom', titles: ['Entry 4', 'Entry 3'] });
  expect(current).toMatchObject({
    id: 'urn:x:feed',
    isArchive: false,
    updatedMs: 420_000,
    hubUrls: ['https://hub.example/'],
    prevArchiveUrl: 'https://docs.example/site-2.atom',
    titles: ['Entry 7', 'Entry 6', 'Entry 5'],
  });
  expect(await validAtom(...files.map(({ text }) => text))).toEqual([]);

  // One by one it comes to the same files.
  const grown = new Map<string, string>();
  let open: readonly string[] = [];
  let count = 0;
  for (let at = 1; at <= 7; at += 1) {
    const next = layOutFeed({ ...FEED, entries: [entry(at), ...open], archived: count });
    for (const { path, text } of next.files) grown.set(path, text);
    const taken = takeAtomEntries(grown.get('site.atom') ?? '');
    if (!taken.ok) throw new Error('not a feed');
    open = taken.value;
    count = next.archived;
  }
  expect(Object.fromEntries(grown)).toEqual(Object.fromEntries(files.map(({ path, text }) => [path, text])));
});

test('where nobody knows its address it has no link to itself, and no archives', () => {
  const { urlOf: _, ...nowhere } = FEED;
  const { files } = layOutFeed({ ...nowhere, entries: entries(1, 9) });
  expect(files.map(({ path }) => path)).toEqual(['site.atom']);
  expect(decoded(files[0]?.text).titles).toHaveLength(9);
  expect(decoded(files[0]?.text)).not.toHaveProperty('selfUrl');
});
