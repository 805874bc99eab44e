import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage, openAtomLab } from '../../../../test/support/atom-lab.ts';
import { atomDocumentsSince } from './atom-news.ts';
import { ARCHIVE_ENTRIES } from './atom-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'tidings-atom-news-'));
afterAll(() => rm(folder, { recursive: true }));

test('feeds that tell something newer are given as they stand, with the archives that became full since', async () => {
  await using hub = await openAtomLab({ folder, titles: { docs: 'Docs', api: 'API' } });
  const since = async (seq: number) => {
    const paths: string[] = [];
    for await (const { path, lasts } of atomDocumentsSince(seq, hub)) paths.push(lasts ? `${path} lasts` : path);
    return paths.sort();
  };
  await hub.commit('api', [changedPage('a')]);
  for (let at = 1; at <= ARCHIVE_ENTRIES; at += 1) await hub.commit('docs', [changedPage(`p${at}`)]);
  expect(await since(0)).toEqual([
    'atom/api.atom',
    'atom/docs.atom',
    'atom/docs/_archive/1.atom lasts',
    'changes.atom',
    'changes/_archive/1.atom lasts',
  ]);
  expect(await since(ARCHIVE_ENTRIES)).toEqual(['atom/docs.atom', 'atom/docs/_archive/1.atom lasts', 'changes.atom']);
  await hub.commit('docs', [changedPage('more')]);
  expect(await since(ARCHIVE_ENTRIES + 1)).toEqual(['atom/docs.atom', 'changes.atom']);
  expect(await since(ARCHIVE_ENTRIES + 2)).toEqual([]);
});
