import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRuns, page, type RunsHub, served } from '../../../../test/support/run-lab.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import { checkFeed } from '../../../codecs/diffdelta/check-feed.ts';
import { DIFFDELTA_CLAUSES } from '../../../codecs/diffdelta/clauses.ts';
import { cursorOf } from '../../../codecs/diffdelta/cursor.ts';
import { hashOfText } from '../../../codecs/diffdelta/encode.ts';
import { openLedger } from '../../../codecs/primitives/ledger.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-run-random-'));
afterAll(() => rm(root, { recursive: true }));

const IDS = ['api', 'blog', 'docs', 'news'];
const STEPS = shortOrLong(80, 300);

test(`over ${STEPS} random steps an ETag stands for one body, an archive for one text, a head for its feed`, async () => {
  const random = generator(1);
  const pick = (size: number) => Math.floor(random() * size);
  await using hub = await openRuns({ folder: await mkdtemp(join(root, 'hub-')) });
  const bodies = new Map<string, string>();
  const archives = new Map<string, string>();
  const cursors = new Map<string, string[]>();
  let rewrites = 0;

  for (let step = 0; step < STEPS; step++) {
    const readers = IDS.concat('_global').map((name) => readAtAnyTime(hub, name, pick(6)));
    await randomStep(hub, pick);
    await Promise.all(readers);
    for (const name of [...IDS, '_global']) {
      if (hub.shelf.find(name) === undefined) continue;
      const { etag, text, head, feed } = await served(hub.shelf, name);
      const key = `${name} ${etag}`;
      if (!bodies.has(key)) expect(findingsOf(name, text), key).toEqual([]);
      expect(bodies.get(key) ?? text, key).toBe(text);
      bodies.set(key, text);
      if (/\.\d+"$/.test(etag)) rewrites += 1;
      expect(head.cursor).toBe(feed.cursor);
      expect(feed.changed, key).toBe(feed.cursor !== feed.prev_cursor);
      expect(hashOfText(text)).toBe(feed.hash);
      if (feed.cursor !== null) expect(cursorOf(feed)).toBe(feed.cursor);
      for (const entry of Object.values(feed.sources)) {
        expect(entry.changed).toBe(entry.cursor !== entry.prev_cursor);
        expect(entry.delta_counts !== undefined).toBe(entry.changed);
        if (entry.status === 'error' || entry.status === 'disabled')
          expect(entry).toMatchObject({ changed: false, stale: true });
        expect(entry.error !== undefined).toBe(entry.status === 'error');
        expect(entry.disabled_reason !== undefined).toBe(entry.status === 'disabled');
      }
      const own = feed.sources[name];
      if (name !== '_global') expect(own).toMatchObject({ cursor: feed.cursor, changed: feed.changed });
      const history = cursors.get(name) ?? [];
      if (feed.cursor !== null && history.at(-1) !== feed.cursor) {
        expect(history, 'a cursor came back').not.toContain(feed.cursor);
        cursors.set(name, [...history, feed.cursor]);
      }
      const path = feed.archive_url?.slice(1);
      if (path === undefined) continue;
      const archived = Buffer.from((await hub.shelf.archive(path)) ?? '').toString();
      expect(archives.get(path) ?? archived).toBe(archived);
      archives.set(path, archived);
      expect(JSON.parse(archived)).toMatchObject({
        cursor: feed.cursor,
        changed: true,
        archive_url: feed.archive_url,
      });
    }
  }
  expect(hub.shelf.trouble).toBeUndefined();
  expect(hub.shelf.seq).toBe((await hub.store.lastChange())?.seq);
  expect(archives.size).toBeGreaterThan(STEPS / 6);
  expect(rewrites).toBeGreaterThan(STEPS / 6);
}, 120_000);

/** What our own check finds wrong with a feed. */
function findingsOf(name: string, text: string) {
  const ledger = openLedger(DIFFDELTA_CLAUSES);
  const document = {
    kind: 'answered',
    where: name,
    status: 200,
    headers: undefined,
    bytes: Buffer.from(text),
  } as const;
  checkFeed(document, name === '_global' ? undefined : name, ledger);
  return ledger.close().findings;
}

/** Finds at one moment and reads at another: both are of one version. */
async function readAtAnyTime(hub: RunsHub, name: string, ticks: number): Promise<void> {
  const version = hub.shelf.find(name);
  for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
  if (version === undefined) return;
  const head = JSON.parse(Buffer.from(await version.head.read()).toString());
  const feed = JSON.parse(Buffer.from(await version.latest.read()).toString());
  expect([head.cursor, head.generated_at]).toEqual([feed.cursor, feed.generated_at]);
  expect(feed.cursor).toBe(version.cursor);
}

async function randomStep(hub: RunsHub, pick: (size: number) => number): Promise<void> {
  const id = IDS[pick(IDS.length)] ?? '';
  hub.pass(2000);
  if (pick(15) === 0) return hub.reopenShelf();
  const source = hub.sources.get(id);
  if (source === undefined) return hub.addSource(id);
  if (source.paused !== undefined) return pick(2) === 0 ? hub.resume(id) : undefined;
  switch (pick(10)) {
    case 0:
      return hub.pause(id, 'pause');
    case 1:
      return hub.remove(id);
    case 2:
      return hub.fail(id, 500);
    case 3:
      return hub.read(id, [], pick(2));
    case 4:
      return hub.read(id);
    case 5: {
      // A visit that is given up behind its commit.
      await hub.commit(id, [page(`p${pick(4)}`, `text ${pick(3)}`)]);
      return hub.shelf.mend();
    }
    default: {
      const action = pick(4) === 0 ? 'delete' : 'update';
      return hub.read(id, [
        page(`p${pick(4)}`, `text ${pick(3)}`, action),
        page(`q${pick(4)}`, 'long '.repeat(pick(4000))),
      ]);
    }
  }
}

/** Mulberry32: the same numbers for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
