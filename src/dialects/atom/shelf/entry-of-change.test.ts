import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedPage, entriesIn, openAtomLab } from '../../../../test/support/atom-lab.ts';
import type { Change } from '../../../model/change.ts';
import { ARCHIVE_ENTRIES } from './atom-store.ts';
import { entryOfChange } from './entry-of-change.ts';

test('every change finds the entry of its run, in the feed or in the archive where it stands', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-entry-'));
  {
    await using hub = await openAtomLab({ folder, titles: { docs: 'Docs', blog: 'Blog' } });
    for (let run = 1; run <= ARCHIVE_ENTRIES + 10; run += 1) {
      await hub.commit('docs', [changedPage(`a${run}`), changedPage(`b${run}`)]);
      if (run % 7 === 0) await hub.commit('blog', [changedPage(`blog${run}`)]);
    }
    const changes: Change[] = [];
    for await (const change of hub.store.changes({})) changes.push(change);
    const documents = [
      ...entriesIn(hub.text('docs')),
      ...entriesIn(hub.text('blog')),
      ...entriesIn(hub.text('docs', 1)),
    ];
    for (const change of changes) {
      const found = entryOfChange(change, hub.shelf);
      expect(found?.text).toContain(change.url);
      expect(documents.map((entry) => entry.trim())).toContain(found?.text.trim());
      const isOld = change.source === 'docs' && Number(/\d+$/.exec(change.url)?.[0]) <= 10;
      expect(found?.archive?.number).toBe(isOld ? 1 : undefined);
    }
    const [first] = changes;
    if (first === undefined) throw new Error('There are changes.');
    expect(entryOfChange({ ...first, time: '2020-01-01T00:00:00Z' }, hub.shelf)).toBeUndefined();
    expect(entryOfChange({ ...first, time: '2030-01-01T00:00:00Z' }, hub.shelf)).toBeUndefined();
    expect(entryOfChange({ ...first, source: 'nobody' }, hub.shelf)).toBeUndefined();
  }
  await rm(folder, { recursive: true });
});
