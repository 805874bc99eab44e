import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRuns, page } from '../../../../test/support/run-lab.ts';

test('the archives of all runs behind a change are given, and none of before its second', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-run-news-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await using hub = await openRuns({ folder });
  await hub.addSource('docs');
  for (const text of ['One.', 'Two.', 'Three.']) await hub.commit('docs', [page('a', text)]);
  await hub.shelf.mend();
  const since = async (seq: number) => {
    const found: string[] = [];
    for await (const { path, lasts, bytes } of hub.shelf.documentsSince(seq)) {
      expect([lasts, Buffer.from(bytes).toString().startsWith('{"hash":')]).toEqual([true, true]);
      found.push(path.split('/')[1] ?? '');
    }
    return found.sort();
  };
  expect(await since(1)).toEqual(['_global', '_global', 'docs', 'docs']);
  expect(await since(2)).toEqual(['_global', 'docs']);
  expect(await since(3)).toEqual([]);
});
