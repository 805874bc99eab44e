import { expect, test } from 'vitest';
import { ABANDONED, NOON, NOTHING_NEW, WatchLab } from '../../../test/support/watch-lab.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DELETES_KEPT = { allowDeletes: false };
const FAILED = {
  is: 'failed',
  error: { code: 'DnsError', message: 'No such host.' },
  changes: 0,
} as const satisfies VisitOutcome;

function feed(id: string, intervalSeconds = 60, host = id): SourceConfig {
  return { id, kind: 'feed', url: `https://${host}.example/`, dialect: 'aicf', intervalSeconds };
}

test('a source is checked at once and then at its interval, and every check is recorded', async () => {
  const { start, time, store, visited } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await time.pass(2 * MINUTE + 1000);
  expect(visited).toEqual([0, MINUTE, 2 * MINUTE].map((atMs) => ({ id: 'a', atMs })));
  expect(store.checks).toEqual(
    [0, MINUTE, 2 * MINUTE].map((ms) => ({ source: 'a', atMs: NOON + ms, tookMs: 0, outcome: 'ok', changes: 0 })),
  );
  expect(store.stored.get('a')?.health).toEqual(watch.source('a')?.health);
  expect(watch.source('a')?.health.dueAtMs).toBe(NOON + 3 * MINUTE);
});

test('after a restart, what is not due is not asked', async () => {
  const first = bound(new WatchLab());
  const watch = await first.start([feed('a', 3600), feed('b', 60)]);
  await first.time.pass(1000);
  await watch.stop();

  const second = bound(new WatchLab([...first.store.stored.values()]));
  await second.time.pass(10 * MINUTE);
  await second.start([feed('a', 3600), feed('b', 60)]);
  await second.time.pass(10_000);
  expect(second.lab.ids()).toEqual(['b']);
  await second.time.pass(50 * MINUTE);
  expect(second.lab.ids().filter((id) => id === 'a')).toHaveLength(1);
});

test('a look that asked nobody and found nothing is no check', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  let isUnasked = false;
  lab.answer = () => ({ is: 'read', changes: 0, freshMs: HOUR, notes: [], ...(isUnasked && { isUnasked }) });
  const watch = await start([feed('a')]);
  await time.pass(30_000);
  const { health } = watch.source('a') ?? {};
  isUnasked = true;
  await time.pass(HOUR);
  expect(lab.visited.map(({ atMs }) => atMs)).toEqual([0, MINUTE]);
  expect(store.checks).toHaveLength(1);
  expect(watch.source('a')?.health).toEqual({ ...health, dueAtMs: NOON + MINUTE + HOUR });
  isUnasked = false;
  await time.pass(2 * MINUTE);
  expect(store.checks).toHaveLength(3);
});

test('what a visit noted stands in its check, and in the health of the source until it is read again', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  const notes = ['one', 'two', 'three', 'four', 'five'];
  lab.answer = () => ({ is: 'read', changes: 0, notes });
  const watch = await start([feed('a')]);
  await time.pass(1000);
  expect(store.checks.at(-1)).toMatchObject({ outcome: 'ok', notes: ['one', 'two', 'and 3 more.'] });
  expect(watch.source('a')?.health).toMatchObject({ notes });
  lab.answer = () => FAILED;
  await time.pass(MINUTE);
  expect(watch.source('a')?.health).toMatchObject({ failures: 1, notes });
  lab.answer = () => NOTHING_NEW;
  await time.pass(10 * MINUTE);
  expect(watch.source('a')?.health).not.toHaveProperty('notes');
});

test('checks that end together are written together', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  lab.answer = undefined;
  await start(
    Array.from({ length: 450 }, (_, index) => feed(`s${index}`)),
    { concurrency: 450 },
  );
  await time.pass(0);
  for (const visit of lab.open) visit.end(NOTHING_NEW);
  await time.pass(250);
  expect(store.batches.reduce((sum, size) => sum + size)).toBe(450);
  expect(store.batches.length).toBeLessThanOrEqual(4);
  expect(Math.max(...store.batches)).toBe(200);
});

test('a failing source backs off and says why; the others go on', async () => {
  const { start, time, lab } = bound(new WatchLab());
  lab.answer = (source) => (source.config.id === 'bad' ? FAILED : NOTHING_NEW);
  const { intervalSeconds: _, ...adaptive } = feed('bad');
  const watch = await start([adaptive, feed('good')]);
  await time.pass(15 * MINUTE + 1000);
  expect(lab.visited.filter(({ id }) => id === 'bad').map(({ atMs }) => atMs / MINUTE)).toEqual([0, 1, 3, 7, 15]);
  expect(watch.source('bad')?.health).toMatchObject({ failures: 5, staleSinceMs: NOON, error: { code: 'DnsError' } });
  expect(lab.visited.filter(({ id }) => id === 'good')).toHaveLength(16);
});

test('a fault of ours is said, counts as an error of the source, and ends nothing', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const fault = new TypeError('x is not a function');
  lab.answer = () => fault;
  const watch = await start([feed('a')]);
  await time.pass(MINUTE);
  expect(lab.events.filter(({ is }) => is === 'bug')).toEqual([
    { is: 'bug', source: 'a', error: fault },
    { is: 'bug', source: 'a', error: fault },
  ]);
  expect(watch.source('a')?.health).toMatchObject({ failures: 2, error: { code: 'InternalError' } });
  expect(watch.source('a')?.health.error?.message).not.toContain('x is not');
});

test('a source can be added while the hub runs; twice it cannot', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  const watch = await start([feed('b')]);
  expect(await watch.add([feed('a')])).toMatchObject([{ origin: 'api', addedAtMs: NOON }]);
  await time.pass(0);
  expect(lab.ids()).toEqual(['b', 'a']);
  expect(store.stored.get('a')?.origin).toBe('api');
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['a', 'b']);
  await expect(watch.add([feed('a')])).rejects.toThrow(expect.objectContaining({ name: 'SourceExistsError' }));
  await expect(watch.add([feed('b')])).rejects.toThrow(expect.objectContaining({ name: 'SourceExistsError' }));
});

test('of two that add the same id at once, one wins', async () => {
  const { start } = bound(new WatchLab());
  const watch = await start([]);
  const results = await Promise.allSettled([watch.add([feed('a', 60)]), watch.add([feed('a', 90)])]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('nothing can be done with a source that there is not', async () => {
  const { start } = bound(new WatchLab());
  const watch = await start([]);
  await expect(watch.pause('a', 'why')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(watch.resume('a', DELETES_KEPT)).rejects.toThrow(
    expect.objectContaining({ name: 'SourceUnknownError' }),
  );
  await expect(watch.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(watch.checksOf('a', 5)).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
});

test('a source of the config cannot be removed', async () => {
  const { start, store } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await expect(watch.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceFixedError' }));
  expect(store.stored.has('a')).toBe(true);
});

test('a paused source is left alone, over restarts too, until it is resumed', async () => {
  const first = bound(new WatchLab());
  const watch = await first.start([feed('a')]);
  await first.time.pass(30_000);
  await watch.pause('a', 'they moved');
  await first.time.pass(HOUR);
  expect(first.visited).toHaveLength(1);
  await watch.stop();

  const second = bound(new WatchLab([...first.store.stored.values()]));
  await second.time.pass(2 * HOUR);
  const again = await second.start([feed('a')]);
  await second.time.pass(HOUR);
  expect(second.visited).toEqual([]);
  expect(again.source('a')).toMatchObject({ paused: 'they moved', health: { staleSinceMs: NOON + 30_000 } });

  await again.resume('a', DELETES_KEPT);
  expect(again.source('a')).not.toHaveProperty('paused');
  await second.time.pass(1000);
  expect(second.visited).toEqual([{ id: 'a', atMs: 3 * HOUR }]);
  expect(again.source('a')?.health).not.toHaveProperty('staleSinceMs');
  expect(second.store.stored.get('a')).not.toHaveProperty('paused');
});

test('a pause asks the running visit to end; what it still read counts', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a')]);
  await time.pass(1000);
  await watch.pause('a', 'enough');
  expect(lab.open[0]?.signal.aborted).toBe(true);
  lab.open[0]?.end({ is: 'read', changes: 2, notes: [] });
  await time.pass(HOUR);
  expect(lab.visited).toHaveLength(1);
  expect(store.checks).toMatchObject([{ source: 'a', changes: 2 }]);
  expect(store.stored.get('a')).toMatchObject({
    paused: 'enough',
    health: { changed: false, lastChangeMs: NOON + 1000, staleSinceMs: NOON + 1000 },
  });
});

test('what fails because it was asked to end is no failure of the source', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a'), feed('b')]);
  await time.pass(0);
  await Promise.all([watch.pause('a', 'enough'), watch.pause('b', 'enough')]);
  lab.open[0]?.end(FAILED);
  lab.open[1]?.fail(new DOMException('This operation was aborted', 'AbortError'));
  await time.pass(1000);
  expect(store.checks).toEqual([]);
  expect(watch.source('a')?.health.failures).toBe(0);
  expect(lab.said()).toEqual(['added', 'added', 'paused', 'paused', 'abandoned', 'abandoned']);
});

test('a pause that a host asked for ends with a resume or a test of the source, and not with a check', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const pause = { by: 'a.example', untilMs: NOON + 20 * HOUR };
  const busy: VisitOutcome = { is: 'failed', error: FAILED.error, retryAfterMs: 20 * HOUR, pause, changes: 0 };
  lab.answer = () => busy;
  const cleared: string[] = [];
  const clearPauses = async ({ id }: SourceConfig) => void cleared.push(id);
  const watch = await start([feed('a')], { clearPauses });
  await time.pass(HOUR);
  expect(lab.visited).toHaveLength(1);
  expect(watch.source('a')?.health.pause).toEqual(pause);

  await watch.resume('a', { ...DELETES_KEPT, keepsHostPauses: true });
  await time.pass(1000);
  expect([lab.visited.length, cleared.length]).toEqual([2, 0]);
  await watch.resume('a', DELETES_KEPT);
  expect(watch.source('a')?.health).not.toHaveProperty('pause');
  await time.pass(1000);
  expect([lab.visited.length, cleared.length]).toEqual([3, 1]);
  lab.answer = () => NOTHING_NEW;
  await watch.test(feed('a'), new AbortController().signal);
  await time.pass(1000);
  expect(lab.visited).toHaveLength(4);
  expect(watch.source('a')?.health).toMatchObject({ failures: 0 });
  expect(watch.source('a')?.health).not.toHaveProperty('pause');
});

test('resumed while its last visit ends, a source is visited once more, with what was allowed', async () => {
  const { start, time, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a', 3600)]);
  await time.pass(0);
  await watch.pause('a', 'wait');
  await watch.resume('a', { allowDeletes: true });
  await time.pass(1000);
  expect(lab.visited).toHaveLength(1);
  lab.open[0]?.end(NOTHING_NEW);
  await time.pass(1000);
  expect(lab.visited).toHaveLength(2);
  expect(lab.events.find(({ is }) => is === 'checked')).toMatchObject({
    source: { health: { dueAtMs: NOON + 1000 } },
  });
  expect(lab.open[1]?.source.allowDeletes).toBe(true);
  lab.open[1]?.end(NOTHING_NEW);
  await time.pass(1000);
  expect(watch.source('a')).not.toHaveProperty('allowDeletes');
  await time.pass(59 * MINUTE);
  expect(lab.visited).toHaveLength(2);
});

test('resumed while its last visit is abandoned, a source is visited at once', async () => {
  const { start, time, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a', 3600)]);
  await time.pass(0);
  await watch.pause('a', 'wait');
  await watch.resume('a', DELETES_KEPT);
  await time.pass(0);
  lab.open[0]?.end(ABANDONED);
  await time.pass(0);
  expect(lab.visited).toHaveLength(2);
});

test('much may be taken for gone until a check has read the source', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  lab.answer = () => FAILED;
  await watch.resume('a', { allowDeletes: true });
  await time.pass(MINUTE);
  expect(watch.source('a')?.allowDeletes).toBe(true);
  lab.answer = () => NOTHING_NEW;
  await time.pass(MINUTE);
  expect(watch.source('a')).not.toHaveProperty('allowDeletes');
});

test('a removed source is not asked again and does not come back with the end of its visit', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  const watch = await start([]);
  lab.answer = undefined;
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  expect(lab.open[0]?.signal.aborted).toBe(true);
  expect(watch.sources()).toEqual([]);
  lab.open[0]?.end({ is: 'read', changes: 5, notes: [] });
  await time.pass(HOUR);
  expect(lab.visited).toHaveLength(1);
  expect(store.stored.size).toBe(0);
  expect(store.checks).toEqual([]);
  expect(lab.events.map(({ is }) => is)).toEqual(['added', 'removed', 'abandoned']);
  // The second time takes away what the visit stored behind the first.
  expect(store.writes.filter((what) => what === 'remove a')).toHaveLength(2);
});

test('an id that is added anew waits for the end of the old visit and begins afresh', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const watch = await start([]);
  lab.answer = undefined;
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  const added = watch.add([feed('a', 600, 'elsewhere')]);
  await time.pass(1000);
  expect(watch.source('a')).toBeUndefined();
  lab.open[0]?.end(FAILED);
  await added;
  await time.pass(0);
  expect(watch.source('a')?.health).toMatchObject({ failures: 0 });
  expect(lab.open[1]?.source.config.intervalSeconds).toBe(600);
});

test('the checks of a removed source are not those of the next with its id', async () => {
  const { start, time, store } = bound(new WatchLab());
  const watch = await start([]);
  await watch.add([feed('a')]);
  await time.pass(0);
  await watch.remove('a');
  await watch.add([feed('a')]);
  await time.pass(1000);
  expect(store.checks).toHaveLength(1);
});

test('the checks of a source are shown with the newest', async () => {
  const { start, time } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await time.pass(MINUTE);
  const shown = watch.checksOf('a', 10);
  await time.pass(0);
  expect((await shown).map(({ atMs }) => atMs - NOON)).toEqual([MINUTE, 0]);
});

test('a stop asks visits to end, starts nothing, and writes what ended', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a'), feed('b'), feed('c')], { concurrency: 2 });
  await time.pass(0);
  const stopped = watch.stop();
  expect(lab.open.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  lab.open[0]?.end({ is: 'read', changes: 1, notes: [] });
  lab.open[1]?.end(ABANDONED);
  await stopped;
  expect(lab.ids()).toEqual(['a', 'b']);
  expect(store.checks.map(({ source }) => source)).toEqual(['a']);
  expect(store.stored.get('b')?.health.dueAtMs).toBe(NOON);
  expect(time.alarmsPending).toBe(0);
});

test('a stop waits eight seconds for a visit that does not end, and what comes later is not written', async () => {
  const { start, time, store, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const watch = await start([feed('a')]);
  await time.pass(0);
  let isOver = false;
  const stopped = watch.stop().then(() => {
    isOver = true;
  });
  await time.pass(7_999);
  expect(isOver).toBe(false);
  await time.pass(1);
  await stopped;
  const writes = store.writes.length;
  lab.open[0]?.end(NOTHING_NEW);
  await time.pass(HOUR);
  expect(store.writes).toHaveLength(writes);
  expect(lab.events.map(({ is }) => is)).toEqual(['added']);
  expect(lab.visited).toHaveLength(1);
});

test('10,000 sources: one alarm for what is due, one for what is to be written', async () => {
  const { start, time, lab, store } = bound(new WatchLab());
  const sources = Array.from({ length: 10_000 }, (_, index) => feed(`s${index}`, 3600, `h${index % 2000}`));
  await start(sources);
  let most = 0;
  for (let second = 0; second < 20; second++) {
    await time.pass(1000);
    most = Math.max(most, time.alarmsPending);
  }
  expect(new Set(lab.ids()).size).toBe(10_000);
  expect(store.checks).toHaveLength(10_000);
  expect(most).toBeLessThanOrEqual(2);

  const before = time.alarmsSet;
  await time.pass(30 * MINUTE);
  expect(lab.visited).toHaveLength(10_000);
  expect(time.alarmsSet - before).toBeLessThanOrEqual(31);
});

/** With its methods as plain functions. */
function bound(lab: WatchLab) {
  const { time, store, visited } = lab;
  return { lab, time, store, visited, start: lab.start.bind(lab) };
}

test('of several sources that are added together, all are or none', async () => {
  const { start, store } = bound(new WatchLab());
  const watch = await start([]);
  await watch.add([feed('a')]);
  await expect(watch.add([feed('b'), feed('a')])).rejects.toThrow(
    expect.objectContaining({ name: 'SourceExistsError' }),
  );
  expect([...store.stored.keys()]).toEqual(['a']);
  await watch.add([feed('b'), feed('c')]);
  expect(watch.sources().map(({ config }) => config.id)).toEqual(['a', 'b', 'c']);
  expect(store.writes).toContain('put b c');
});

test('a source that is gone from the config is not watched, and goes on where it was when it is back', async () => {
  const first = bound(new WatchLab());
  first.lab.answer = () => FAILED;
  const watch = await first.start([feed('a', 3600), feed('b')]);
  await first.time.pass(1000);
  await watch.pause('a', 'they moved');
  await watch.stop();

  const without = bound(new WatchLab([...first.store.stored.values()]));
  const apart = await without.start([feed('b')]);
  await without.time.pass(MINUTE);
  expect(apart.sources().map(({ config }) => config.id)).toEqual(['b']);
  expect(without.lab.ids()).not.toContain('a');
  await expect(apart.remove('a')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  await expect(apart.pause('a', 'why')).rejects.toThrow(expect.objectContaining({ name: 'SourceUnknownError' }));
  expect(without.lab.said()).toEqual(['removed']);
  await apart.stop();

  const again = bound(new WatchLab([...without.store.stored.values()]));
  const back = await again.start([feed('a', 3600), feed('b')]);
  expect(back.source('a')).toEqual(first.store.stored.get('a'));
  expect(again.store.writes).toEqual(['put a']);
});

test('a dropped source that the API adds goes on; at another place it begins anew', async () => {
  const stored = (await labWithDropped()).store.stored;
  const same = bound(new WatchLab([...stored.values()]));
  const watch = await same.start([]);
  expect(await watch.add([feed('a')])).toMatchObject([{ origin: 'api', health: { failures: 1 } }]);
  await same.time.pass(0);
  expect(same.lab.ids()).toEqual(['a']);
  expect(same.store.writes[0]).toBe('put a');
  expect(same.store.stored.get('a')).not.toHaveProperty('dropped');
  await watch.remove('a');
  expect(same.store.stored.size).toBe(0);

  const other = bound(new WatchLab([...stored.values()]));
  const elsewhere = await other.start([]);
  expect(await elsewhere.add([feed('a', 60, 'elsewhere')])).toMatchObject([{ health: { failures: 0 } }]);
  expect(other.store.writes).toEqual(['remove a', 'put a']);
});

async function labWithDropped(): Promise<WatchLab> {
  const lab = new WatchLab();
  lab.answer = () => FAILED;
  const watch = await lab.start([feed('a')]);
  await lab.time.pass(0);
  await watch.stop();
  await (await lab.start([])).stop();
  expect(lab.store.stored.get('a')?.dropped).toBe(true);
  return lab;
}

test('a check tells how the source stood before, and which of its notes are new', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const outcomes: VisitOutcome[] = [
    { is: 'read', changes: 0, notes: ['one'] },
    { is: 'read', changes: 0, notes: ['one', 'two'] },
    FAILED,
    { is: 'read', changes: 0, notes: ['two'] },
    { is: 'read', changes: 0, notes: ['one'] },
  ];
  lab.answer = () => outcomes.shift() ?? NOTHING_NEW;
  await start([feed('a')]);
  await time.pass(5 * MINUTE - 1);
  const checks = lab.events.flatMap((event) => (event.is === 'checked' ? [event] : []));
  expect(checks.map(({ newNotes }) => newNotes)).toEqual([['one'], ['two'], [], [], ['one']]);
  expect(checks.map(({ before }) => before.failures)).toEqual([0, 0, 0, 1, 0]);
});

test('origins that hang take no more than their share of the slots once that is known', async () => {
  const { start, time, lab } = bound(new WatchLab());
  lab.answer = undefined;
  const hanging = Array.from({ length: 8 }, (_, index) => feed(`hang${index}`));
  await start([...hanging, feed('well')], { concurrency: 8 });
  await time.pass(20_000);
  lab.answer = (source) => (source.config.id === 'well' ? NOTHING_NEW : undefined);
  for (const visit of lab.open.splice(0)) visit.end(FAILED);
  await time.pass(0);
  const before = lab.visited.length;
  await time.pass(4 * MINUTE);
  const visits = lab.visited.slice(before).map(({ id }) => id);
  expect(visits.filter((id) => id === 'well').length).toBeGreaterThanOrEqual(3);
  expect(visits.filter((id) => id !== 'well').length).toBe(6);
});
