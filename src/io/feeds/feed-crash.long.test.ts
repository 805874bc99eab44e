import { cp, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFeedLab, textOf } from '../../../test/support/feed-lab.ts';
import { ALL_FEED } from '../../dialects/aicf/shelf/feed-store.ts';
import { readFeedMarks } from './feed-marks.ts';

let losses = 0;
const SOURCES = ['a', 'b', 'c'];
const NAMES = [ALL_FEED, ...SOURCES];

const batch = fc.array(fc.constantFrom(...SOURCES), { minLength: 1, maxLength: 6 });
/** What a loss of power may do to a file whose bytes were on their way: cut it, or leave a hole, or nothing. */
const loss = fc.record({
  file: fc.nat(20),
  kind: fc.constantFrom('cut', 'hole', 'garbage'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
});
const life = fc.record({
  batches: fc.array(batch, { maxLength: 4 }),
  end: fc.constantFrom('close', 'crash', 'power'),
  lost: fc.array(loss, { maxLength: 3 }),
  /** Changes that the log took before the feeds did. */
  unseen: fc.array(fc.constantFrom(...SOURCES), { maxLength: 3 }),
});

test('whatever ends a process, feeds begin with what was served before and equal what follows from the log', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
      await using lab = await createFeedLab();
      const served = new Map<string, string>();
      let folder = lab.folder;
      for (const [number, { batches, end, lost, unseen }] of lives.entries()) {
        const shelf = await lab.open(folder);
        for (const sources of [[], ...batches]) {
          await shelf.add(lab.commit(...sources));
          for (const name of NAMES) {
            const text = (await textOf(shelf.find(name))) ?? '';
            expect(text).toBe(lab.derived(name));
            expect(text.startsWith(served.get(name) ?? '')).toBe(true);
            served.set(name, text);
          }
        }
        lab.commit(...unseen);
        if (end === 'close') await shelf[Symbol.asyncDispose]();
        const next = `${lab.folder}-${number}`;
        await cp(folder, next, { recursive: true });
        if (end !== 'close') await shelf[Symbol.asyncDispose]();
        if (end === 'power') for (const each of lost) await lose(next, each);
        folder = next;
      }
    }),
    { numRuns: 40 },
  );
  expect(losses, 'files that were damaged').toBeGreaterThan(10);
});

/** Bytes that marks call synced are on the disk and cannot be lost. */
async function lose(folder: string, { file, kind, at }: { file: number; kind: string; at: number }): Promise<void> {
  const names = (await readdir(folder)).sort();
  const name = names[file % names.length];
  if (name === undefined) return;
  const path = join(folder, name);
  const bytes = await readFile(path);
  const safe = await syncedBytes(folder, name.replace('.ndjson', ''));
  const position = safe + Math.floor(at * (bytes.length - safe));
  if (kind === 'cut') await truncate(path, position);
  if (kind === 'hole') await writeFile(path, bytes.fill(0, position, Math.min(position + 50, bytes.length)));
  if (kind === 'garbage') await writeFile(path, 'x'.repeat(1 + position), { flag: 'a' });
  losses += 1;
}

async function syncedBytes(folder: string, name: string): Promise<number> {
  const marks = await readFeedMarks(join(folder, 'marks'));
  if (!marks?.synced) return 0;
  return marks.feeds.find((feed) => feed.name === name)?.written.bytes ?? 0;
}
