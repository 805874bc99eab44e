import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ByteCache } from '../../hub/http/byte-cache.ts';
import { FileFeed } from './feed.ts';

test('while a file is written anew, the version that was shown stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  const shared = { cache: new ByteCache(1000), making: new Map(), onDistrust: () => {} };
  const feed = new FileFeed(join(folder, 'docs'), 'docs', shared);
  const grow = (seq: number) =>
    feed.append({ text: `line ${seq}\n`, seq, last: { id: `id${seq}`, timeMs: seq * 1000 } });
  expect(feed.version).toBeUndefined();
  await grow(1);
  await grow(2);
  const shown = feed.version;
  expect(shown).toMatchObject({ bytes: 14, lastModifiedMs: 2000 });

  await feed.startAgain();
  expect(feed.version).toBe(shown);
  await grow(1);
  expect(feed.version).toBe(shown);
  await grow(2);
  expect(feed.version).toBe(shown);
  await grow(3);
  expect(feed.version?.bytes).toBe(21);
  await rm(folder, { recursive: true });
});

test('its date never goes back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  const shared = { cache: new ByteCache(1000), making: new Map(), onDistrust: () => {} };
  const feed = new FileFeed(join(folder, 'docs'), 'docs', shared);
  await feed.append({ text: 'a\n', seq: 1, last: { id: 'a', timeMs: 5000 } });
  await feed.append({ text: 'b\n', seq: 2, last: { id: 'b', timeMs: 4000 } });
  expect(feed.version?.lastModifiedMs).toBe(5000);
  await rm(folder, { recursive: true });
});

test('the end of a large feed is read once for all who ask for some of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  const cache = new ByteCache(300_000);
  const shared = { cache, making: new Map(), onDistrust: () => {} };
  const feed = new FileFeed(join(folder, 'docs'), 'docs', shared);
  let text = '';
  const grow = async (seq: number, lines: number) => {
    const added = Array.from({ length: lines }, (_, index) => `${seq} ${index} ${'x'.repeat(90)}\n`).join('');
    await feed.append({ text: added, seq, last: { id: `id${seq}`, timeMs: seq * 1000 } });
    text += added;
    return { version: feed.version, whole: Buffer.from(text) };
  };
  const part = (bytes: unknown) => Buffer.from(bytes as Uint8Array).toString();
  for (let seq = 1; seq <= 3; seq++) {
    const { version, whole } = await grow(seq, seq === 1 ? 12_000 : 3);
    expect(whole.length, 'more than what is kept whole').toBeGreaterThan(1024 * 1024);
    const end = whole.length;
    expect(part(await version?.read(end - 4096)), 'from the file').toBe(part(whole.subarray(end - 4096)));
    for (const [from, to] of [
      [end - 4096, end],
      [end - 1, end],
      [end - 64 * 1024, end - 10],
    ] as const) {
      const kept = version?.read(from, to);
      expect(kept, 'from memory').toBeInstanceOf(Uint8Array);
      expect(part(kept)).toBe(part(whole.subarray(from, to)));
    }
    const before = version?.read(end - 64 * 1024 - 1, end);
    expect(before, 'more than the end').toBeInstanceOf(Promise);
    expect(part(await before)).toBe(part(whole.subarray(end - 64 * 1024 - 1)));
    expect(cache.bytes, 'one end at a time').toBe(64 * 1024);
  }
  await rm(folder, { recursive: true });
});

test('whoever has an earlier version of a large feed goes on with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feed-'));
  const shared = { cache: new ByteCache(300_000), making: new Map(), onDistrust: () => {} };
  const feed = new FileFeed(join(folder, 'docs'), 'docs', shared);
  const whole = `${'x'.repeat(1200 * 1024)}\n`;
  await feed.append({ text: whole, seq: 1, last: { id: 'a', timeMs: 1000 } });
  const earlier = feed.version;
  await feed.append({ text: 'more\n', seq: 2, last: { id: 'b', timeMs: 2000 } });
  const [one, other] = [await earlier?.read(whole.length - 3), await feed.version?.read(whole.length - 3)];
  expect(Buffer.from(one as Uint8Array).toString()).toBe('xx\n');
  expect(Buffer.from(other as Uint8Array).toString()).toBe('xx\nmore\n');
  await rm(folder, { recursive: true });
});
