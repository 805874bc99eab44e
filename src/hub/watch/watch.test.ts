import { expect, test } from 'vitest';
import { NOON, NOTHING_NEW, WatchLab } from '../../../test/support/watch-lab.ts';
import { bound, FAILED, feed, HOUR, MINUTE } from '../../../test/support/watched-feeds.ts';
import { workBetweenTurns } from '../../../test/support/work-between-turns.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

test('a source is checked at once and then at its interval, and every check is recorded', async () => {
  const { start, time, store, visited } = bound(new WatchLab());
  const watch = await start([feed('a')]);
  await time.pass(2 * MINUTE + 1000);
  expect(visited).toEqual([0, MINUTE, 2 * MINUTE].map((atMs) => ({ id: 'a', atMs })));
  const checks = [0, MINUTE, 2 * MINUTE].map((ms) => ({
    source: 'a',
    atMs: NOON + ms,
    tookMs: 0,
    outcome: 'ok',
    changes: 0,
  }));
  // Whoever asks for checks is shown those that wait for others, and none is written for that.
  expect(await watch.checksOf('a', 5)).toEqual(checks.toReversed());
  expect(await watch.checksOf('a', 2)).toEqual(checks.slice(1).reverse());
  expect(store.checks).toHaveLength(1);
  await watch.stop();
  expect(store.checks).toEqual(checks);
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
  expect(await watch.checksOf('a', 5)).toHaveLength(3);
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

test('a start with many new sources lets others have their turn', async () => {
  const lab = new WatchLab();
  const most = await workBetweenTurns(async (count) => {
    const sources = Array.from({ length: 1000 }, (_, index) => feed(`s${index}`));
    await lab.start(sources, { onEvent: () => count() });
  });
  expect(most).toBe(200);
  const puts = lab.store.writes.filter((write) => write.startsWith('put '));
  expect(Math.max(...puts.map((write) => write.split(' ').length - 1))).toBe(200);
});
