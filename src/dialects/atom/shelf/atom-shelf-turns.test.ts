import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedPage, openAtomLab } from '../../../../test/support/atom-lab.ts';
import { workBetweenTurns } from '../../../../test/support/work-between-turns.ts';

test('others have their turn behind each run of many changes that a catch-up takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-atom-turns-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  let count = () => {};
  const titles = {
    // Asked for with each run.
    get docs() {
      count();
      return 'Docs';
    },
  };
  await using lab = await openAtomLab({ folder, titles, isDeaf: true });
  const pages = Array.from({ length: 50 }, (_, at) => changedPage(`p${at}`));
  for (let run = 0; run < 8; run += 1) await lab.commit('docs', pages);
  const most = await workBetweenTurns(async (counted) => {
    count = counted;
    await lab.shelf.mend();
  });
  expect(lab.shelf.seq).toBe(400);
  expect(most).toBe(1);
});
