import { expect, test } from 'vitest';
import { ABANDONED, NOON, NOTHING_NEW, WatchLab } from '../../../test/support/watch-lab.ts';
import { bound, DELETES_KEPT, FAILED, feed, HOUR, MINUTE } from '../../../test/support/watched-feeds.ts';
import type { SourceConfig } from '../config/source-config.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

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
  let clearedAtTest = 0;
  const test = async () => {
    clearedAtTest = cleared.length;
    return NOTHING_NEW;
  };
  const watch = await start([feed('a')], { clearPauses, test });
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
  expect(clearedAtTest, 'before the source is asked').toBe(2);
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
