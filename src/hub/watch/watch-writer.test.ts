import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { MemoryWatchStore, NOON, WatchLab } from '../../../test/support/watch-lab.ts';
import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { CheckRecord } from '../store/hub-store.ts';
import { newSource } from './watch-sources.ts';
import { WatchWriter } from './watch-writer.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FULL = new LogFullError('hub.db', new Error('database or disk is full'));

function feed(id: string, intervalSeconds = 60): SourceConfig {
  return { id, kind: 'feed', url: `https://${id}.example/`, dialect: 'aicf', intervalSeconds };
}

test('while checks cannot be written, the newest of each source is kept, and written when it can be', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([feed('a'), feed('b')]);
  await lab.time.pass(1000);
  lab.store.refusal = FULL;
  await lab.time.pass(12 * MINUTE);
  expect(watch.unwritable).toBe(FULL.message);
  expect(lab.store.checks).toHaveLength(2);
  expect(lab.visited).toHaveLength(26);

  lab.store.refusal = undefined;
  await lab.time.pass(30_000);
  expect(watch.unwritable).toBeUndefined();
  const written = lab.store.checks.slice(2);
  expect(written.length).toBeLessThanOrEqual(4);
  expect(written.slice(-2)).toMatchObject([
    { source: 'a', atMs: NOON + 12 * MINUTE },
    { source: 'b', atMs: NOON + 12 * MINUTE },
  ]);
  expect(lab.said()).toEqual(['added', 'added', 'unwritable', 'writable-again']);
});

test('a visit whose findings were refused is a failure, and is made again after 30 s, then more rarely', async () => {
  const lab = new WatchLab();
  lab.answer = () => FULL;
  lab.store.refusal = FULL;
  const watch = await lab.start([feed('a', 3600)]);
  await lab.time.pass(20 * MINUTE);
  expect(lab.visited.map(({ atMs }) => atMs / 1000)).toEqual([0, 30, 90, 210, 450, 930]);
  expect(watch.source('a')?.health).toMatchObject({
    failures: 6,
    staleSinceMs: NOON,
    error: { code: 'LogFullError' },
    dueAtMs: NOON + (930 + 600) * 1000,
  });
  expect(lab.said()).toEqual(['unwritable', 'added']);

  lab.answer = () => ({ is: 'read', changes: 4, notes: [] });
  lab.store.refusal = undefined;
  await lab.time.pass(10 * MINUTE);
  expect(watch.unwritable).toBeUndefined();
  expect(watch.source('a')?.health).toMatchObject({ failures: 0, changed: true });
  expect(lab.store.checks.at(-1)).toMatchObject({ outcome: 'ok', changes: 4 });
  const refused = lab.store.checks.filter(({ error }) => error?.code === 'LogFullError');
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(lab.said().at(-1)).toBe('writable-again');
  await lab.time.pass(HOUR);
  lab.answer = () => FULL;
  await lab.time.pass(HOUR);
  expect(lab.visited.slice(-4).map(({ atMs }) => atMs / 1000)).toEqual([8730, 8760, 8820, 8940]);
});

test('a hub starts with a store that refuses, and writes the config down when it can', async () => {
  const stored = newSource(feed('old'), 'config', { nowMs: NOON, allowPrivate: false });
  const lab = new WatchLab([stored]);
  lab.store.refusal = new LogUnavailableError('hub.db', new Error('attempt to write a readonly database'));
  const watch = await lab.start([feed('new')]);
  expect(watch.unwritable).toContain('readonly');
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['new']);
  expect([...lab.store.stored.keys()]).toEqual(['old']);

  lab.store.refusal = undefined;
  await lab.time.pass(MINUTE);
  expect(lab.store.stored.get('old')).toEqual({ ...stored, dropped: true });
  expect(lab.store.stored.has('new')).toBe(true);
  expect(lab.store.checks[0]).toMatchObject({ source: 'new', atMs: NOON });
});

test('what is asked for over the API is refused with the error of the store, and did not happen', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([]);
  await watch.add([feed('a')]);
  lab.store.refusal = FULL;
  await expect(watch.add([feed('b')])).rejects.toBe(FULL);
  await expect(watch.pause('a', 'why')).rejects.toBe(FULL);
  await expect(watch.remove('a')).rejects.toBe(FULL);
  expect(watch.sources()).toHaveLength(1);
  expect(watch.source('a')).not.toHaveProperty('paused');
  await lab.time.pass(0);
  expect(lab.ids()).toEqual(['a']);
});

test('a store that is idle is tried until it can be written', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([]);
  lab.store.refusal = FULL;
  await expect(watch.add([feed('a')])).rejects.toBe(FULL);
  await lab.time.pass(HOUR);
  expect(watch.unwritable).toBe(FULL.message);
  expect(lab.store.tries).toBeGreaterThan(100);
  expect(lab.store.tries).toBeLessThan(130);
  lab.store.refusal = undefined;
  await lab.time.pass(30_000);
  expect(watch.unwritable).toBeUndefined();
  const before = lab.time.alarmsSet;
  await lab.time.pass(HOUR);
  expect(lab.time.alarmsSet).toBe(before);
});

test('an older state of a source is never written behind a newer', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([feed('a')]);
  await lab.time.pass(0);
  expect(lab.store.checks).toEqual([]);
  await watch.pause('a', 'while its check waits to be written');
  await lab.time.pass(1000);
  expect(lab.store.checks).toHaveLength(1);
  expect(lab.store.stored.get('a')).toEqual(watch.source('a'));
  expect(lab.store.stored.get('a')?.health.staleSinceMs).toBe(NOON);
});

test('a fault of the store is said, and the checks wait', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([feed('a')]);
  const fault = new TypeError('cannot read properties of undefined');
  lab.store.refusal = fault;
  await lab.time.pass(1000);
  expect(lab.events.filter(({ is }) => is === 'bug')).toEqual([{ is: 'bug', error: fault }]);
  expect(watch.unwritable).toBe(fault.message);
  lab.store.refusal = undefined;
  await lab.time.pass(5000);
  expect(lab.store.checks).toHaveLength(1);
});

test('a source that is read from elsewhere loses its pages before it is stored anew', async () => {
  const stored = newSource(feed('a'), 'config', { nowMs: NOON, allowPrivate: false });
  const lab = new WatchLab([stored]);
  await lab.start([{ id: 'a', kind: 'feed', url: 'https://elsewhere.example/', dialect: 'aicf' }]);
  expect(lab.store.writes).toEqual(['remove a', 'put a']);
  expect(lab.said()).toEqual(['replaced']);
});

test('a stop with a store that refuses ends all the same', async () => {
  const lab = new WatchLab();
  const watch = await lab.start([feed('a')]);
  await lab.time.pass(0);
  lab.store.refusal = FULL;
  await watch.stop();
  await expect(watch.add([feed('b')])).rejects.toBe(FULL);
  expect(lab.time.alarmsPending).toBe(0);
});

test('checks that found nothing wait a second for others, one that found something a quarter of it', async () => {
  const time = new FakeTime(NOON);
  const store = new MemoryWatchStore();
  const health = newSource(feed('a'), 'config', { nowMs: NOON, allowPrivate: false }).health;
  const writer = new WatchWriter({ store, alarm: time.alarm, onEvent: () => {}, healthOf: () => health });
  const check = (changes: number): CheckRecord => ({
    source: 'a',
    atMs: time.now(),
    tookMs: 1,
    outcome: 'ok',
    changes,
  });
  writer.record(check(0));
  await time.pass(900);
  writer.record(check(0));
  expect(store.batches).toEqual([]);
  await time.pass(100);
  expect(store.batches).toEqual([2]);

  writer.record(check(0));
  writer.record(check(1));
  await time.pass(250);
  expect(store.batches).toEqual([2, 2]);
  await writer.close();
});

test.each([
  ['a minute', MINUTE, 10],
  ['five minutes', 5 * MINUTE, 3],
  ['an hour', HOUR, 3],
  ['two hours', 2 * HOUR, 3],
])(
  'a source that is quiet again at a rhythm of %s is written alone once for several checks',
  async (_, intervalMs, checks) => {
    const { time, store, writer, look } = patientWriter(intervalMs);
    look();
    await time.pass(intervalMs);
    expect(store.batches).toEqual([1]);
    for (let round = 0; round < 2 * checks; round += 1) {
      look();
      await time.pass(intervalMs);
    }
    expect(store.batches).toEqual([1, checks, checks]);
    await writer.close();
  },
);

test('a quiet source of a slower rhythm is written at once: nobody is left to tell of its silence for a day', async () => {
  const { time, store, writer, look } = patientWriter(3 * HOUR);
  look();
  await time.pass(3 * HOUR);
  look();
  await time.pass(1000);
  expect(store.batches).toEqual([1, 1]);
  await writer.close();
});

test('checks that wait go with the next that is written, and with a stop; behind news a source is written at once', async () => {
  const { time, store, writer, look } = patientWriter(HOUR);
  look();
  await time.pass(1000);
  look();
  await time.pass(HOUR);
  look(1);
  await time.pass(250);
  expect(store.batches).toEqual([1, 2]);
  look();
  await time.pass(1000);
  expect(store.batches).toEqual([1, 2, 1]);
  look();
  await writer.close();
  expect(store.batches).toEqual([1, 2, 1, 1]);
});

function patientWriter(intervalMs: number) {
  const time = new FakeTime(NOON);
  const store = new MemoryWatchStore();
  const { health } = newSource(feed('a'), 'config', { nowMs: NOON, allowPrivate: false });
  const healthOf = () => ({ ...health, intervalMs });
  const writer = new WatchWriter({ store, alarm: time.alarm, onEvent: () => {}, healthOf });
  const look = (changes = 0) => writer.record({ source: 'a', atMs: time.now(), tookMs: 1, outcome: 'ok', changes });
  return { time, store, writer, look };
}

test('where others wait for them, checks that found nothing are written as soon as others, again and again', async () => {
  const lab = new WatchLab();
  await lab.start([feed('a')], { isPrompt: true });
  for (const looks of [1, 2, 3]) {
    await lab.time.pass(250);
    expect(lab.store.checks).toHaveLength(looks);
    await lab.time.pass(MINUTE - 250);
  }
});
