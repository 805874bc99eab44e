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
