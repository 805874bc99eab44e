import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { bytesOf } from '../../../../test/support/feed-lab.ts';
import { entryIn, openRuns, page, served, withWrite } from '../../../../test/support/run-lab.ts';
import { cursorOf } from '../../../codecs/diffdelta/cursor.ts';
import { hashOfText } from '../../../codecs/diffdelta/encode.ts';
import type { RunStore } from './run-store.ts';

/** A check that reads its source as it was. */
const NOTHING_NEW = { is: 'read', changes: 0, notes: [] } as const;

const root = await mkdtemp(join(tmpdir(), 'tidings-run-shelf-'));
afterAll(() => rm(root, { recursive: true }));
const newHub = async () => openRuns({ folder: await mkdtemp(join(root, 'hub-')) });

clause(['DD-R2', 'DD-R3'], 'head and feed are replaced by each run, together', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  const first = await served(hub.shelf, 'docs');
  await hub.read('docs', [page('a', 'two')]);
  const second = await served(hub.shelf, 'docs');
  expect(first.feed.counts).toEqual({ new: 1, updated: 0, removed: 0, flagged: 0 });
  expect(second.feed.counts).toEqual({ new: 0, updated: 1, removed: 0, flagged: 0 });
  expect(second.head.generated_at > first.head.generated_at).toBe(true);
  for (const { head, feed, version, text } of [first, second]) {
    const { cursor, prev_cursor, changed, generated_at, ttl_sec } = feed;
    expect(head).toEqual({ cursor, prev_cursor, changed, generated_at, ttl_sec, latest_url: '/diff/docs/latest.json' });
    expect(version).toMatchObject({ cursor, prevCursor: prev_cursor, changed });
    expect(cursorOf(feed)).toBe(cursor);
    expect(hashOfText(text)).toBe(feed.hash);
  }
  expect(second.feed.prev_hash).toBe(first.feed.hash);
  expect(first.etag).toBe(`"${first.feed.cursor}"`);
});

clause('DD-P1', 'a first run that is on its way is not taken for a read that found nothing', async () => {
  await using hub = await openRuns({ folder: await mkdtemp(join(root, 'hub-')), isDeaf: true });
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  expect((await served(hub.shelf, 'docs')).feed.cursor).toBeNull();
  await hub.shelf.mend();
  expect((await served(hub.shelf, 'docs')).feed).toMatchObject({
    prev_cursor: null,
    changed: true,
    counts: { new: 1 },
  });
});

clause('DD-B1', 'a change is seen for three seconds, however often its source is looked at', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  hub.pass(1000);
  await hub.record('docs', NOTHING_NEW);
  expect((await served(hub.shelf, 'docs')).head).toMatchObject({ changed: true, prev_cursor: null });
  hub.pass(2500);
  await hub.record('docs', NOTHING_NEW);
  expect((await served(hub.shelf, 'docs')).head.changed).toBe(false);
});

clause(
  ['DD-C4', 'DD-C7', 'DD-P1'],
  'the cursor is null until the first good read, which may find nothing',
  async () => {
    await using hub = await newHub();
    await hub.addSource('docs');
    expect(await served(hub.shelf, 'docs')).toMatchObject({
      etag: '"none"',
      head: { cursor: null, prev_cursor: null, changed: false },
      feed: { cursor: null, buckets: { new: [], updated: [], removed: [], flagged: [] } },
    });
    await hub.fail('docs');
    expect(await served(hub.shelf, 'docs')).toMatchObject({ etag: '"none.1"', head: { cursor: null } });
    await hub.read('docs');
    const first = await served(hub.shelf, 'docs');
    expect(first.feed).toMatchObject({ prev_cursor: null, changed: true, sources: { docs: { changed: true } } });
    expect(first.feed.sources.docs?.delta_counts).toEqual({ new: 0, updated: 0, removed: 0 });
    expect(first.feed.cursor).toBe(cursorOf({ sources_included: ['docs'], buckets: {} }));
    expect(Buffer.from((await hub.shelf.archive((first.feed.archive_url ?? '').slice(1))) ?? '').toString()).toBe(
      first.text,
    );
    expect(hub.shelf.find('_global')?.cursor).toBeNull();
    await hub.fail('docs');
    expect((await served(hub.shelf, 'docs')).head).toMatchObject({ cursor: first.feed.cursor, changed: false });
  },
);

clause(
  ['DD-E5', 'DD-E8'],
  'a source that was never read has files, and a status without a last good time',
  async () => {
    await using hub = await newHub();
    await hub.addSource('docs');
    await hub.fail('docs', 503);
    await hub.fail('docs', 503);
    for (const name of ['docs', '_global']) {
      expect(await entryIn(hub.shelf, name, 'docs')).toEqual({
        status: 'error',
        stale: true,
        stale_since: '2026-03-01T12:02:00Z',
        consecutive_failures: 2,
        error: { code: 'PageStatusError', http_status: 503 },
        changed: false,
        cursor: null,
        prev_cursor: null,
        ttl_sec: 300,
        head_url: '/diff/docs/head.json',
        latest_url: '/diff/docs/latest.json',
      });
    }
  },
);

clause(
  ['DD-E3', 'DD-E4', 'DD-E13'],
  'a failed read keeps the cursor and the items, says so, and is forgotten by the next good one',
  async () => {
    await using hub = await newHub();
    await hub.addSource('docs');
    await hub.read('docs', [page('a', 'one', 'create')]);
    const good = await served(hub.shelf, 'docs');
    const lastOkMs = hub.now();
    await hub.fail('docs');
    const since = hub.now();
    await hub.fail('docs');
    await hub.fail('docs');
    for (const name of ['docs', '_global']) {
      const { feed } = await served(hub.shelf, name);
      expect(feed.buckets.new).toEqual(good.feed.buckets.new);
      expect(feed).toMatchObject({ changed: false });
      expect(feed.prev_cursor).toBe(feed.cursor);
      expect(feed.sources.docs).toEqual({
        status: 'error',
        stale: true,
        stale_since: new Date(since).toISOString().replace('.000Z', 'Z'),
        last_ok_at: new Date(lastOkMs).toISOString(),
        stale_age_sec: 180,
        consecutive_failures: 3,
        error: { code: 'PageStatusError' },
        changed: false,
        cursor: good.feed.cursor,
        prev_cursor: good.feed.cursor,
        ttl_sec: 300,
        head_url: '/diff/docs/head.json',
        latest_url: '/diff/docs/latest.json',
      });
    }
    await hub.read('docs');
    const recovered = await served(hub.shelf, 'docs');
    expect(recovered.feed).toMatchObject({ cursor: good.feed.cursor, changed: false });
    expect(recovered.feed.sources.docs).toMatchObject({ status: 'ok', stale: false, changed: false });
    for (const key of ['error', 'consecutive_failures', 'stale_since', 'disabled_reason', 'delta_counts']) {
      expect(recovered.feed.sources.docs).not.toHaveProperty(key);
    }
    await hub.read('docs', [page('a', 'two')]);
    expect((await served(hub.shelf, 'docs')).feed).toMatchObject({ prev_cursor: good.feed.cursor, changed: true });
  },
);

clause(['DD-E3', 'DD-E9', 'DD-E10'], 'a paused source is disabled, with the reason', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  const { feed } = await served(hub.shelf, 'docs');
  await hub.pause('docs', 'moving house');
  const entry = await entryIn(hub.shelf, '_global', 'docs');
  expect(entry).toMatchObject({ status: 'disabled', disabled_reason: 'moving house', stale: true, changed: false });
  expect(entry).toMatchObject({ cursor: feed.cursor, prev_cursor: feed.cursor, stale_age_sec: 60 });
  expect(entry).not.toHaveProperty('error');
  await hub.resume('docs');
  await hub.read('docs');
  expect(await entryIn(hub.shelf, '_global', 'docs')).toMatchObject({ status: 'ok', cursor: feed.cursor });
});

clause(
  ['DD-F1', 'DD-F2', 'DD-F5'],
  'a source that is read by a fallback is degraded, and changes all the same',
  async () => {
    await using hub = await newHub();
    await hub.addSource('docs');
    await hub.read('docs', [page('a', 'one', 'create')], 1);
    for (const name of ['docs', '_global']) {
      expect(await entryIn(hub.shelf, name, 'docs')).toMatchObject({
        status: 'degraded',
        stale: false,
        fallback_active: true,
        fallback_index: 1,
        degraded_reason: 'primary_endpoint_failed',
        changed: true,
        prev_cursor: null,
        delta_counts: { new: 1, updated: 0, removed: 0 },
        ttl_sec: 300,
      });
    }
    const { feed } = await served(hub.shelf, 'docs');
    await hub.read('docs', [page('a', 'two')], 0);
    expect((await served(hub.shelf, 'docs')).feed).toMatchObject({ prev_cursor: feed.cursor, changed: true });
    expect(await entryIn(hub.shelf, 'docs', 'docs')).toMatchObject({
      status: 'degraded',
      fallback_index: 0,
      changed: true,
    });
  },
);

clause(
  ['DD-B1', 'DD-B3', 'DD-N2'],
  'only a later check that finds nothing says that nothing changed; cursor and items stay (T-DD-1)',
  async () => {
    await using hub = await newHub();
    await hub.addSource('docs');
    await hub.read('docs', [page('a', 'one', 'create')]);
    const run = await served(hub.shelf, 'docs');
    const runOfAll = await served(hub.shelf, '_global');
    await hub.shelf.restate(['docs']);
    expect(hub.shelf.find('docs')).toBe(run.version);
    await hub.read('docs');
    for (const [name, before] of [
      ['docs', run],
      ['_global', runOfAll],
    ] as const) {
      const after = await served(hub.shelf, name);
      expect(after.feed).toMatchObject({ changed: false, cursor: before.feed.cursor, prev_cursor: before.feed.cursor });
      expect(after.feed.buckets).toEqual(before.feed.buckets);
      expect(after.feed.archive_url).toBe(before.feed.archive_url);
      expect(after.feed.sources.docs).not.toHaveProperty('delta_counts');
      expect(after.etag).toBe(`"${before.feed.cursor}.1"`);
    }
    const quiet = hub.shelf.find('docs');
    const quietOfAll = hub.shelf.find('_global');
    await hub.read('docs');
    await hub.read('docs');
    expect(hub.shelf.find('docs'), 'a run that would change only its time writes nothing').toBe(quiet);
    expect(hub.shelf.find('_global')).toBe(quietOfAll);
  },
);

clause(['DD-A1', 'DD-A2'], 'archives are the bytes of each run, chained, and stay whatever comes after', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  const kept = new Map<string, string>();
  for (let count = 0; count < 5; count++) {
    await hub.read('docs', [page('a', `text ${count}`, count === 0 ? 'create' : 'update')]);
    for (const name of ['docs', '_global']) {
      const { text, feed } = await served(hub.shelf, name);
      kept.set((feed.archive_url ?? '').slice(1), text);
    }
    await hub.read('docs');
  }
  await hub.fail('docs');
  await hub.remove('docs');
  await hub.reopenShelf();
  expect(kept.size).toBe(10);
  for (const [path, text] of kept) expect(Buffer.from((await hub.shelf.archive(path)) ?? '').toString()).toBe(text);
  const { feed } = await served(hub.shelf, '_global');
  const chain: string[] = [];
  for (let url = feed.archive_url; url !== undefined; ) {
    const body: unknown = JSON.parse(Buffer.from((await hub.shelf.archive(url.slice(1))) ?? '').toString());
    chain.push(url);
    url = (body as typeof feed).prev_archive_url;
  }
  expect(chain).toHaveLength(5);
  expect(await hub.shelf.archive('archive/docs/2026/03/01/none.json')).toBeUndefined();
});

test('a source that is removed keeps its files, and goes on when it comes back', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  await hub.read('docs');
  await hub.read('docs');
  const lastOkMs = hub.now();
  const { feed } = await served(hub.shelf, 'docs');
  await hub.remove('docs');
  const entry = await entryIn(hub.shelf, 'docs', 'docs');
  expect(entry).toMatchObject({ status: 'disabled', disabled_reason: 'removed', changed: false, cursor: feed.cursor });
  expect(entry).toMatchObject({ last_ok_at: new Date(lastOkMs).toISOString(), stale_age_sec: 60 });
  const version = hub.shelf.find('docs');
  hub.pass(5000);
  await hub.shelf.restate(['docs']);
  await hub.reopenShelf();
  expect(hub.shelf.find('docs')?.latest.etag).toBe(version?.latest.etag);
  await hub.addSource('docs');
  expect(await entryIn(hub.shelf, 'docs', 'docs')).toMatchObject({ status: 'ok', cursor: feed.cursor });
  await hub.read('docs', [page('a', 'two', 'create')]);
  const again = (await served(hub.shelf, 'docs')).feed;
  expect(again.prev_cursor).toBe(feed.cursor);
  expect(again.buckets.updated[0]?.provenance.revision).toBe(2);
  await hub.remove('unheard');
  expect(hub.shelf.find('unheard')).toBeUndefined();
});

test('a check that finds nothing says so also when the log is ahead of the clock', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'one', 'create')]);
  hub.pass(-3600_000);
  await hub.read('docs', [page('a', 'two')]);
  expect(hub.shelf.find('docs')?.changed).toBe(true);
  await hub.read('docs');
  expect((await served(hub.shelf, 'docs')).feed).toMatchObject({ changed: false, counts: { updated: 1 } });
});

test('a source that comes back to life with changes is not called broken in the run that says so', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.fail('docs');
  await hub.commit('docs', [page('a', 'one', 'create')]);
  await hub.shelf.mend();
  expect((await served(hub.shelf, 'docs')).feed).toMatchObject({ changed: true, sources: { docs: { status: 'ok' } } });
});

test('what a visit finds after its source was paused is a run, and the source stays disabled', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.pause('docs', 'enough');
  await hub.commit('docs', [page('a', 'one', 'create')]);
  await hub.shelf.mend();
  const { feed } = await served(hub.shelf, 'docs');
  expect(feed).toMatchObject({ changed: false, sources: { docs: { status: 'disabled' } }, counts: { new: 1 } });
  const archived = await hub.shelf.archive((feed.archive_url ?? '').slice(1));
  expect(JSON.parse(Buffer.from(archived ?? '').toString())).toMatchObject({ changed: true, prev_cursor: null });
});

test('the feed of all sources turns quiet with the source that it told of last', async () => {
  await using hub = await newHub();
  await hub.addSource('a');
  await hub.addSource('b');
  await hub.read('a', [page('a', 'one', 'create')]);
  await hub.read('b', [page('b', 'one', 'create')]);
  const both = await served(hub.shelf, '_global');
  expect(both.feed.sources_included).toEqual(['a', 'b']);
  await hub.read('a');
  const one = await served(hub.shelf, '_global');
  expect(one.feed).toMatchObject({ changed: true, sources: { a: { changed: false }, b: { changed: true } } });
  expect(one.etag).toBe(`"${both.feed.cursor}.1"`);
  await hub.read('b');
  expect((await served(hub.shelf, '_global')).feed).toMatchObject({ changed: false, cursor: both.feed.cursor });
});

test('an empty hub has an empty feed of all sources', async () => {
  await using hub = await newHub();
  const { feed, etag } = await served(hub.shelf, '_global');
  expect(feed).toMatchObject({ cursor: null, changed: false, sources_included: [], sources: {} });
  expect(etag).toBe('"none"');
  expect(hub.shelf.find('docs')).toBeUndefined();
});

test('many restatements within a second are written together, a single one at once', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  let writes = 0;
  const around = (store: RunStore) =>
    withWrite(store, (step) => {
      writes += 1;
      store.write(step);
    });
  let endSecond = () => {};
  const secondIsOver = new Promise<void>((resolve) => {
    endSecond = resolve;
  });
  const waits: number[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return secondIsOver;
  };
  await using hub = await openRuns({ folder, around, wait });
  for (const id of ['a', 'b', 'c']) await hub.addSource(id);
  writes = 0;
  await hub.fail('a');
  expect(writes).toBe(1);
  hub.pass(400);
  const all = ['a', 'b', 'c'].map((id) => {
    const source = hub.sources.get(id);
    if (source !== undefined) hub.sources.set(id, { ...source, paused: 'all' });
    return hub.shelf.restate([id]);
  });
  expect(waits).toEqual([600]);
  expect(writes).toBe(1);
  endSecond();
  await Promise.all(all);
  expect(writes).toBe(2);
  for (const id of ['a', 'b', 'c']) expect(await entryIn(hub.shelf, id, id)).toMatchObject({ disabled_reason: 'all' });
});

test('who holds a version gets its own bytes, also when others have taken its place', async () => {
  await using hub = await newHub();
  await hub.addSource('docs');
  await hub.read('docs', [page('a', 'x'.repeat(20_000), 'create')]);
  const held = hub.shelf.find('docs');
  await hub.read('docs');
  await hub.read('docs', [page('a', 'two')]);
  const text = Buffer.from((await held?.latest.read()) ?? '').toString();
  expect(JSON.parse(text)).toMatchObject({ cursor: held?.cursor, changed: true });
  expect(held?.latest.encodings).toEqual(['gzip']);
  expect(gunzipSync(await bytesOf((await held?.latest.encoded?.('gzip'))?.body ?? Buffer.of())).toString()).toBe(text);
  expect(hub.shelf.find('docs')?.latest.encodings).toBeUndefined();
});

clause(
  'DD-P2',
  'a run of very many changes becomes several feeds, chained, and the same ones when it is read again',
  async () => {
    const pages = Array.from({ length: 1200 }, (_, at) => page(`p${at}`, `text ${at}`, 'create'));
    const chains: string[][] = [];
    for (const isDeaf of [false, true]) {
      await using hub = await openRuns({ folder: await mkdtemp(join(root, 'hub-')), isDeaf });
      hub.watch('docs');
      await hub.commit('docs', pages);
      await hub.shelf.mend();
      const { feed } = await served(hub.shelf, 'docs');
      expect([feed.counts.new, (await served(hub.shelf, '_global')).feed.counts.new]).toEqual([200, 200]);
      const first = await hub.shelf.archive(feed.prev_archive_url?.slice(1) ?? '');
      const before = JSON.parse(Buffer.from(first ?? '').toString());
      expect(before).toMatchObject({ counts: { new: 1000 }, cursor: feed.prev_cursor, prev_cursor: null });
      chains.push([before.cursor, feed.cursor ?? '']);
    }
    expect(chains[0]).toEqual(chains[1]);
  },
);
