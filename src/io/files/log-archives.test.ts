import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { Change } from '../../model/change.ts';
import { openLogArchives } from './log-archives.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-archives-'));
afterAll(() => rm(root, { recursive: true }));

async function* changes(first: number, last: number): AsyncGenerator<Change> {
  for (let seq = first; seq <= last; seq += 1) {
    const id = idOf(seq);
    const text = { source: 'docs', kind: 'page', action: 'update', url: 'https://docs.example/' } as const;
    yield { seq, id, ...text, note: '"id":"no"', time: '2026-03-01T12:00:00Z', provenance: {} };
  }
}

function idOf(seq: number): string {
  return `01KH${String(seq).padStart(22, '0')}`;
}

test('the archive that holds a change is found by its id', async () => {
  const folder = join(root, 'found');
  const archives = openLogArchives(folder);
  expect(await archives.holding(idOf(1))).toBeUndefined();
  for (const [first, last] of [
    [1, 3],
    [4, 9],
    [10, 10],
    [11, 40],
  ] as const)
    await archives.write(changes(first, last));
  const names = await Promise.all(
    [1, 3, 4, 9, 10, 11, 40].map(async (seq) => (await archives.holding(idOf(seq)))?.firstSeq),
  );
  expect(names).toEqual([1, 1, 4, 4, 10, 11, 11]);
  expect(await archives.holding('00000000000000000000000000')).toBeUndefined();
});

test('an archive that cannot be read is said to be so', async () => {
  const folder = join(root, 'broken');
  const archives = openLogArchives(folder);
  await archives.write(changes(1, 3));
  await writeFile(join(folder, 'changes-1-3.ndjson.gz'), 'no gzip');
  await expect(archives.holding(idOf(2))).rejects.toThrow(LogUnavailableError);
});
