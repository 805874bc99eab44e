import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { openSqliteSinkLab } from '../../../test/support/sqlite-sink-lab.ts';
import { PAGE_URL, syncedPage } from '../../../test/support/synced-page.ts';
import { openPrepared } from '../../sync/sink-lab.contract.ts';
import { openSectionSearch } from './section-search.ts';

async function openSearch() {
  const lab = await openSqliteSinkLab();
  onTestFinished(() => lab[Symbol.asyncDispose]());
  await using sink = await openPrepared(lab);
  await sink.put(
    syncedPage([
      ['', 'Everything about prices.'],
      ['tiers', 'There are three tiers: free, team and "enterprise".'],
      ['limits', 'Each tier has limits. Größe und Café. 漢字かな交じり文です。'],
    ]),
  );
  const other = `${PAGE_URL}other`;
  await sink.put(syncedPage([['free', 'A free lunch, and limits of tiers.']], { url: other, source: 'other_example' }));
  const search = await openSectionSearch(lab.file);
  onTestFinished(() => search[Symbol.asyncDispose]());
  return search;
}

test('sections with all words come, best first; those with some where there are none', async () => {
  const search = await openSearch();
  const anchors = async (query: string) => (await search.searchSections(query)).map(({ anchor }) => anchor);
  expect(await anchors('tiers')).toEqual(['tiers', 'free', 'limits']);
  expect(await anchors('free tier')).toEqual(['free', 'tiers']);
  expect(await anchors('enterprise lunch')).toHaveLength(2);
  expect(await anchors('GRÖSSE cafe')).toEqual(['limits']);
  expect(await anchors('漢字')).toEqual(['limits']);
  expect(await anchors('unheard words')).toEqual([]);
});

test('an answer tells where it is and what it says', async () => {
  const search = await openSearch();
  const [found] = await search.searchSections('enterprise');
  expect(found).toEqual({
    url: PAGE_URL,
    anchor: 'tiers',
    title: 'Guide',
    heading: 'Heading of tiers',
    source: 'docs_example',
    snippet: 'There are three tiers: free, team and "enterprise".',
    score: expect.any(Number),
  });
  expect(found?.score).toBeGreaterThan(0);
});

test('one source can be asked for, and the answer can be read in parts', async () => {
  const search = await openSearch();
  const found = await search.searchSections('tiers', { source: 'other_example' });
  expect(found.map(({ url }) => url)).toEqual([`${PAGE_URL}other`]);
  const [first] = await search.searchSections('tiers', { limit: 1 });
  const [second] = await search.searchSections('tiers', { limit: 1, skip: 1 });
  expect([first?.anchor, second?.anchor]).toEqual(['tiers', 'free']);
  expect(await search.searchSections('tiers', { limit: 1e9 })).toHaveLength(3);
  expect(await search.searchSections('tiers', { limit: Number.NaN })).toEqual([]);
});

test('what means something to FTS5 or SQL, and what is far too long, is a query like any other', async () => {
  const search = await openSearch();
  const hostile = [
    '',
    ' ',
    '"',
    '""',
    '*',
    'tiers*',
    '"tiers',
    'NEAR(a b)',
    'tiers AND',
    'AND OR NOT',
    'title:x',
    '-tiers',
    '^tiers',
  ];
  const worse = ['{a b}: c', "x' OR 1=1 --", 'a\0b', '\ud83d', '(((', 'x'.repeat(100_000), 'w '.repeat(50_000)];
  const many = Array.from({ length: 5000 }, (_, at) => `w${at}`).join(' ');
  for (const query of [...hostile, ...worse, many]) expect(await search.searchSections(query)).toBeInstanceOf(Array);
});

test('no query at all is an error', async () => {
  const search = await openSearch();
  const query = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('"', '*', '(', ')', 'AND', 'NEAR', ':', '^', '+', '-', 'tiers', '{', '}', ' ', '\\', "'"))
      .map((parts) => parts.join('')),
  );
  const property = fc.asyncProperty(query, async (text) => {
    await search.searchSections(text);
  });
  await fc.assert(property, { numRuns: shortOrLong(100, 20_000) });
});

test('where no index is, that is said', async () => {
  await using lab = await openSqliteSinkLab();
  await expect(openSectionSearch(lab.file)).rejects.toMatchObject({ name: 'SinkMissingError', recovery: 'fix-input' });
});
