import { expect, onTestFinished, test } from 'vitest';
import { SnapshotIndex } from './snapshot-index.ts';

const home = { source: 'docs', url: 'https://docs.example/', snapshot: 'sha256:1' };
const limits = { source: 'docs', url: 'https://docs.example/limits', snapshot: 'sha256:2' };

async function openIndex(): Promise<SnapshotIndex> {
  const index = await SnapshotIndex.open();
  onTestFinished(() => index.close());
  index.put(home, 'Home', [{ anchor: '', heading: '', text: 'Welcome to the tiers and all else.' }]);
  index.put(limits, 'Limits', [
    { anchor: 'tiers', heading: 'Tiers', text: 'Three tiers, in the Zürich style.' },
    { anchor: 'bursts', heading: 'Bursts', text: 'A burst ends soon.' },
  ]);
  return index;
}

const found = (index: SnapshotIndex, query: string, more = {}) =>
  index.search({ query, skip: 0, limit: 10, ...more }).map(({ url, anchor }) => `${url}#${anchor}`);

test('all words are looked for, in any form of their letters, and a heading counts most', async () => {
  const index = await openIndex();
  expect(found(index, 'tiers')).toEqual([`${limits.url}#tiers`, `${home.url}#`]);
  expect(found(index, 'ZURICH three')).toEqual([`${limits.url}#tiers`]);
  expect(found(index, 'tier', { skip: 1 })).toEqual([`${home.url}#`]);
  expect(found(index, 'tiers', { source: 'other' })).toEqual([]);
});

test('where nothing has all words, any will do', async () => {
  expect(found(await openIndex(), 'burst zebra')).toEqual([`${limits.url}#bursts`]);
});

test.each(['"', "'; DROP TABLE section; --", 'a AND', '*', 'NEAR(a b)', '\u0000', '(', '-tiers OR'])(
  'a query is words and nothing else: %s',
  async (query) => {
    const index = await openIndex();
    expect(() => index.search({ query, skip: 0, limit: 10 })).not.toThrow();
    expect(found(index, 'tiers')).toHaveLength(2);
  },
);

test('a page that changed or went is not found by what it said', async () => {
  const index = await openIndex();
  expect([index.has(home), index.has({ ...home, snapshot: 'sha256:9' })]).toEqual([true, false]);
  index.put({ ...home, snapshot: 'sha256:9' }, 'Home', [{ anchor: '', heading: '', text: 'Something else.' }]);
  expect(found(index, 'welcome')).toEqual([]);
  index.keepOnly([{ ...home, snapshot: 'sha256:9' }]);
  expect(found(index, 'tiers')).toEqual([]);
  expect(found(index, 'something')).toEqual([`${home.url}#`]);
  expect(index.characters).toBe('Something else.'.length);
});
