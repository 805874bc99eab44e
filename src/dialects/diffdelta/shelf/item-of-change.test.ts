import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRuns, page } from '../../../../test/support/run-lab.ts';
import { openSqliteRuns } from '../../../io/sqlite/runs.ts';
import type { Change } from '../../../model/change.ts';
import { itemOfChange } from './item-of-change.ts';

test('every change finds its item in the archive of its run, in the very characters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-item-'));
  {
    await using hub = await openRuns({ folder });
    await hub.addSource('docs');
    await hub.addSource('blog');
    for (let run = 1; run <= 8; run += 1) {
      await hub.read('docs', [
        page('a', `a${run} "é" \u2028`),
        page(`only-${run}`, 'once'),
        page('b', `b${run}`, run % 2 ? 'update' : 'delete'),
      ]);
      await hub.read('blog', [page('a', `blog ${run}`)]);
    }
    const store = hub.store.openTables(openSqliteRuns);
    const changes: Change[] = [];
    for await (const change of hub.store.changes({})) changes.push(change);
    const paths = new Set<string>();
    for (const change of changes) {
      const found = await itemOfChange(change, store);
      if (found?.text === undefined) throw new Error(`${change.url} of ${change.time} has no item.`);
      expect(Buffer.from((await store.archive(found.path)) ?? []).toString()).toContain(found.text);
      expect(JSON.parse(found.text)).toMatchObject({ source: change.source, id: change.url });
      if (change.excerpt !== undefined) expect(found.text).toContain(JSON.stringify(change.excerpt));
      paths.add(found.path);
    }
    expect(paths.size).toBe(16);
    const [first] = changes;
    if (first === undefined) throw new Error('There are changes.');
    expect(await itemOfChange({ ...first, time: '2020-01-01T00:00:00Z' }, store)).toBeUndefined();
    expect(await itemOfChange({ ...first, url: 'https://docs.example/other' }, store)).toBeUndefined();
  }
  await rm(folder, { recursive: true });
});
