import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { clause } from '../../test/clause.ts';
import { check } from './check.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const ALL_ON = {
  chunkHints: { embedRef: 'https://docs.example/vectors/{chunk_id}.json' },
  billingHints: { plan: 'free', unit: 'bytes' },
} as const;

async function site() {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-extensions-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const say = (price: number) =>
    writeFile(
      join(dir, 'index.html'),
      `<title>P</title><h1>Prices</h1><p>All of them.</p><h2 id="tiers">Tiers</h2><p>€ ${price}</p><h2 id="more">More</h2><p>x</p>`,
    );
  return {
    dir,
    say,
    publish: (options: Partial<PublishOptions> = {}) => publish({ dir, site: SITE, ...options }),
    feed: () => readFile(join(dir, 'ai-changes.ndjson'), 'utf8'),
    discovery: async () => JSON.parse(await readFile(join(dir, '.well-known/ai-changefeed'), 'utf8')),
  };
}

clause(['AICF-X5', 'AICF-X6'], 'without a word no hint is written, and none is announced', async () => {
  const { say, publish, feed, discovery } = await site();
  await say(19);
  await publish();
  expect(Object.keys(JSON.parse(await feed()))).toEqual(['id', 'action', 'url', 'time', 'checksum', 'note']);
  expect(await discovery()).not.toHaveProperty('capabilities');
});

clause(['AICF-X1', 'AICF-X4', 'AICF-X6'], 'hints that are on are in every event, announced, and right', async () => {
  const { dir, say, publish, feed, discovery } = await site();
  await say(19);
  await publish({ extensions: ALL_ON });
  await say(21);
  await publish({ extensions: ALL_ON });
  const [page, section] = (await feed())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(section).toMatchObject({ anchor: 'tiers', plan: 'free', unit: 'bytes', section_checksum: section.checksum });
  expect(section.embed_ref).toBe(`https://docs.example/vectors/${section.chunk_id}.json`);
  expect(section.chunk_id).not.toBe(page.chunk_id);
  expect(section.size).toBeLessThan(page.size);
  expect(section.nonce).not.toBe(page.nonce);
  expect(await discovery()).toMatchObject({ capabilities: ['chunk-hints', 'billing-hints'] });
  expect(await check(dir, { spec: 'aicf' })).toEqual([]);
});

clause(['AICF-P1', 'AICF-X6'], 'turning hints on or off changes no past line', async () => {
  const { say, publish, feed, discovery } = await site();
  await say(19);
  await publish();
  const plain = await feed();
  await say(21);
  await publish({ extensions: ALL_ON });
  const hinted = await feed();
  expect(hinted.startsWith(plain)).toBe(true);
  await say(23);
  await publish();
  expect((await feed()).startsWith(hinted)).toBe(true);
  expect((await feed()).slice(hinted.length)).not.toContain('chunk_id');
  expect(await discovery()).not.toHaveProperty('capabilities');
});
