import { expect, test } from 'vitest';
import { readTwinMemory, twinMemoryFiles } from './twin-files.ts';
import type { KnownTwin } from './twin-memory.ts';

const twins = Array.from({ length: 500 }, (_, page): KnownTwin => {
  const url = `https://docs.example/${page}.html`;
  return { url, file: `hash-${page}`, bytes: page, title: `Page ${page}`, excerpt: 'It begins so.' };
});
const LISTS = ['guides/llms.txt', 'llms.txt'];
const limits = { extractor: '9', maxBytes: 4000, isParted: false };

const placeOf = (files: ReturnType<typeof twinMemoryFiles>) => ({
  name: 'state',
  read: async (path: string) => files.find((file) => file.path === path)?.bytes,
});

test('what is too much for one file is in files of which none is large, and reads the same', async () => {
  const whole = await readTwinMemory(placeOf(twinMemoryFiles(twins, LISTS, { ...limits, maxBytes: 1e6 })));
  const files = twinMemoryFiles(twins, LISTS, limits);
  for (const { bytes } of files) expect(bytes.length).toBeLessThan(4000);
  const parted = await readTwinMemory(placeOf(files));
  expect(parted).toMatchObject({ lists: LISTS, isParted: true });
  expect(new Map([...parted.twins].sort())).toEqual(new Map([...whole.twins].sort()));
  expect(whole).toMatchObject({ lists: LISTS, isParted: false });
});

test('an edit is in one of them, and once there are parts they stay', () => {
  const before = twinMemoryFiles(twins, LISTS, limits);
  const edited = twins.map((twin, at) => (at === 7 ? { ...twin, title: 'Another one' } : twin));
  const after = twinMemoryFiles(edited, LISTS, { ...limits, maxBytes: 1e6, isParted: true });
  expect(after.map(({ path }) => path)).toEqual(before.map(({ path }) => path));
  const changed = after.filter(({ bytes }, at) => Buffer.compare(bytes, before[at]?.bytes ?? new Uint8Array()) !== 0);
  expect(changed).toHaveLength(1);
});

test('a part that is lost or broken costs its own pages alone', async () => {
  const [lost, broken, ...rest] = twinMemoryFiles(twins, LISTS, limits);
  const files = [{ path: broken?.path ?? '', bytes: Buffer.from('{') }, ...rest];
  const { twins: known } = await readTwinMemory(placeOf(files));
  expect(lost?.path).toBe('llms-1.json');
  expect(known.size).toBeGreaterThan(450);
  expect(known.size).toBeLessThan(500);
});
