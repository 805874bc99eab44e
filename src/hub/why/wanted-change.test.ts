import { expect, test } from 'vitest';
import type { Change } from '../../model/change.ts';
import { newestOf, wantedChange } from './wanted-change.ts';

const URL_A = 'https://docs.example/a';

function log(...rows: readonly Partial<Change>[]): Change[] {
  return rows.map((row, index) => ({
    seq: index + 1,
    id: `0000000000000000000000000${index}`,
    source: 'docs',
    kind: 'page',
    action: 'update',
    url: URL_A,
    time: `2026-11-16T03:00:0${index}Z`,
    provenance: {},
    ...row,
  }));
}

const seqs = async (changes: readonly Change[], target: string) =>
  (await newestOf(changes, wantedChange(target))).map(({ seq }) => seq);

test('a page: its newest change, with those of the same moment', async () => {
  const time = '2026-11-16T04:00:00Z';
  const changes = log({}, { time, anchor: 'one' }, { url: 'https://docs.example/b', time }, { time, anchor: 'two' });
  expect(await seqs(changes, URL_A)).toEqual([2, 4]);
  expect(await seqs(changes, `${URL_A}#one`)).toEqual([2]);
  expect(await seqs(changes, 'HTTPS://docs.example:443/a')).toEqual([2, 4]);
  expect(await seqs(changes, 'https://docs.example/c')).toEqual([]);
});

test('a section: its own newest change, before a later one of the whole page; that where it has none', async () => {
  const changes = log({ anchor: 'tarife & öl' }, {}, { anchor: 'two' });
  expect(await seqs(changes, `${URL_A}#tarife & öl`)).toEqual([1]);
  expect(await seqs(changes, `${URL_A}#tarife%20%26%20%C3%B6l`)).toEqual([1]);
  expect(await seqs(changes, `${URL_A}#three`)).toEqual([2]);
  expect(await seqs(changes, `${URL_A}#%zz`)).toEqual([2]);
});

test('an id, here or at the origin', async () => {
  const changes = log({}, { provenance: { originId: 'evt-17' } }, {});
  expect(await seqs(changes, '00000000000000000000000000')).toEqual([1]);
  expect(await seqs(changes, 'evt-17')).toEqual([2]);
  expect(await seqs(changes, 'evt-18')).toEqual([]);
});
