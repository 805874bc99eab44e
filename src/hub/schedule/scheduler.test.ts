import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { DueQueue, isEarlier } from './due-queue.ts';
import type { LaneTask } from './host-lanes.ts';
import { type DueTask, Scheduler } from './scheduler.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3600_000;

function task(id: string, host = id, isLong = false): LaneTask {
  return { id, host, isLong };
}

interface Rerun {
  readonly everyMs: number;
  readonly tookMs?: number;
}

/** Runs end by themselves after `tookMs` and are planned again, or when the test ends them. */
function world(concurrency: number, rerun?: Rerun) {
  const time = new FakeTime(NOON);
  const started: { readonly id: string; readonly atMs: number }[] = [];
  const running = new Map<string, () => void>();
  const lags: number[] = [];
  let compared = 0;
  let mostRunning = 0;
  const queue = new DueQueue<DueTask>((left, right) => {
    compared += 1;
    return isEarlier(left, right);
  });
  const hosts = new Map<string, LaneTask>();
  const scheduler = new Scheduler({
    concurrency,
    now: time.now,
    alarm: time.alarm,
    queue,
    onLate: (lagMs) => lags.push(lagMs),
    run: async (id) => {
      started.push({ id, atMs: time.now() - NOON });
      expect(running.has(id), `${id} runs already`).toBe(false);
      await new Promise<void>((resolve) => {
        running.set(id, resolve);
        mostRunning = Math.max(mostRunning, running.size);
        if (rerun !== undefined) time.alarm(rerun.tookMs ?? 0, resolve);
      });
      running.delete(id);
      const again = hosts.get(id);
      if (rerun !== undefined && again !== undefined) scheduler.plan(again, rerun.everyMs);
    },
  });
  return {
    time,
    started,
    lags,
    scheduler,
    ids: () => started.map(({ id }) => id),
    compared: () => compared,
    mostRunning: () => mostRunning,
    plan(each: LaneTask, delayMs: number) {
      hosts.set(each.id, each);
      scheduler.plan(each, delayMs);
    },
    async end(id: string) {
      running.get(id)?.();
      await time.pass(0);
    },
  };
}

test('each task runs when it is due, in that order, with one alarm at a time', async () => {
  const { plan, time, started } = world(16);
  plan(task('late'), 3000);
  plan(task('soon'), 1000);
  plan(task('later'), 9000);
  expect(time.alarmsPending).toBe(1);
  await time.pass(999);
  expect(started).toEqual([]);
  await time.pass(5000);
  expect(started).toEqual([
    { id: 'soon', atMs: 1000 },
    { id: 'late', atMs: 3000 },
  ]);
  expect(time.alarmsPending).toBe(1);
});

test('a new plan replaces the old one, and what is forgotten does not run', async () => {
  const { plan, scheduler, time, started } = world(16);
  plan(task('moved'), 1000);
  plan(task('moved'), 2000);
  plan(task('forgotten'), 1000);
  scheduler.forget('forgotten');
  await time.pass(5000);
  expect(started).toEqual([{ id: 'moved', atMs: 2000 }]);
});

test('no more tasks than allowed run side by side, and one of each host', async () => {
  const { plan, time, ids, end } = world(2);
  for (const id of ['a1', 'a2', 'a3']) plan(task(id, 'a'), 0);
  plan(task('b1', 'b'), 0);
  plan(task('c1', 'c'), 0);
  await time.pass(0);
  expect(ids()).toEqual(['a1', 'b1']);
  await end('b1');
  expect(ids()).toEqual(['a1', 'b1', 'c1']);
  await end('c1');
  expect(ids()).toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  expect(ids()).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('a task that is planned again while it runs waits until it has ended', async () => {
  const { plan, time, ids, end } = world(16);
  plan(task('a'), 0);
  await time.pass(0);
  plan(task('a'), 0);
  await time.pass(1000);
  expect(ids()).toEqual(['a']);
  await end('a');
  expect(ids()).toEqual(['a', 'a']);
});

test('a task that waits for its host can be forgotten', async () => {
  const { plan, scheduler, time, ids, end } = world(16);
  plan(task('a1', 'a'), 0);
  plan(task('a2', 'a'), 0);
  await time.pass(0);
  scheduler.forget('a2');
  await end('a1');
  expect(ids()).toEqual(['a1']);
});

test('a task that waits for its host can be planned for later', async () => {
  const { plan, time, ids, end } = world(16);
  plan(task('a1', 'a'), 0);
  plan(task('a2', 'a'), 0);
  await time.pass(0);
  plan(task('a2', 'a'), 5000);
  await end('a1');
  await time.pass(4999);
  expect(ids()).toEqual(['a1']);
  await time.pass(1);
  expect(ids()).toEqual(['a1', 'a2']);
});

test('long tasks leave a quarter of the room to others', async () => {
  const { plan, time, ids } = world(4);
  for (const id of ['l1', 'l2', 'l3', 'l4', 'l5']) plan(task(id, id, true), 0);
  await time.pass(0);
  expect(ids()).toEqual(['l1', 'l2', 'l3']);
  plan(task('quick'), 0);
  await time.pass(0);
  expect(ids()).toEqual(['l1', 'l2', 'l3', 'quick']);
});

test('a clock that is set back a day holds nothing up', async () => {
  const { plan, time, ids } = world(16);
  plan(task('a'), 10_000);
  await time.pass(4000);
  time.step(-24 * HOUR);
  await time.pass(5999);
  expect(ids()).toEqual([]);
  await time.pass(1);
  expect(ids()).toEqual(['a']);
});

test('a clock that is set back again and again holds nothing up', async () => {
  const { plan, time, started } = world(16, { everyMs: 60_000 });
  plan(task('a'), 0);
  for (let minute = 0; minute < 60; minute++) {
    await time.pass(60_000);
    time.step(-90_000);
  }
  expect(started.length).toBeGreaterThanOrEqual(60);
  expect(started.length).toBeLessThanOrEqual(62);
});

test('after a jump ahead everything due runs once, within the bounds', async () => {
  const { plan, time, started, mostRunning } = world(8, { everyMs: HOUR, tookMs: 100 });
  for (let index = 0; index < 100; index++) plan(task(`s${index}`), HOUR + index);
  await time.pass(1000);
  time.step(72 * HOUR);
  await time.pass(10 * 60_000);
  expect(started).toHaveLength(100);
  expect(new Set(started.map(({ id }) => id)).size).toBe(100);
  expect(mostRunning()).toBe(8);
});

test('the sleep of the machine is noticed within a minute', async () => {
  const { plan, time, ids } = world(8);
  plan(task('a'), 20 * HOUR);
  await time.pass(1000);
  time.step(20 * HOUR);
  await time.pass(60_000);
  expect(ids()).toEqual(['a']);
});

test('being late is said, at most once a minute', async () => {
  const { plan, time, lags } = world(1, { everyMs: 10 * HOUR, tookMs: 1000 });
  for (let index = 0; index < 300; index++) plan(task(`s${index}`), 0);
  await time.pass(400_000);
  expect(lags).toEqual([60_000, 120_000, 180_000, 240_000]);
});

test('behind a stop nothing starts, and it waits for what runs', async () => {
  const { plan, scheduler, time, ids, end } = world(1);
  plan(task('a'), 0);
  plan(task('b'), 0);
  await time.pass(0);
  let isOver = false;
  const stopped = scheduler.stop().then(() => {
    isOver = true;
  });
  plan(task('c'), 0);
  await time.pass(HOUR);
  expect(isOver).toBe(false);
  await end('a');
  await stopped;
  expect(ids()).toEqual(['a']);
  expect(time.alarmsPending).toBe(0);
});

test('10,000 tasks mean one alarm, and no step looks at all of them', async () => {
  const { plan, time, started, compared } = world(16, { everyMs: HOUR });
  const count = 10_000;
  for (let index = 0; index < count; index++) plan(task(`s${index}`), ((index * 7919) % count) * 360);
  expect(time.alarmsPending).toBe(1);
  expect(time.alarmsSet).toBeLessThan(100);

  const before = { compared: compared(), alarms: time.alarmsSet, started: started.length };
  await time.pass(HOUR / 4);
  const runs = started.length - before.started;
  expect(runs).toBeGreaterThanOrEqual(count / 4 - 1);
  // For a run: out of the queue, and into it again, each at most twice the height of the heap; its own alarm and ours.
  expect((compared() - before.compared) / runs).toBeLessThan(4 * Math.log2(count));
  expect((time.alarmsSet - before.alarms) / runs).toBeLessThan(3);
});

test('no source of a small host is late because another host has 5,000', async () => {
  const { plan, time, started } = world(4, { everyMs: 60_000, tookMs: 50 });
  for (let index = 0; index < 5000; index++) plan(task(`big${index}`, 'big'), 0);
  for (let index = 0; index < 20; index++) plan(task(`small${index}`), 0);
  await time.pass(120_000);
  for (let index = 0; index < 20; index++) {
    expect(started.filter(({ id }) => id === `small${index}`).length).toBeGreaterThanOrEqual(2);
  }
});

test('of many that are due at once, no more than 500 take their places before others have their turn', async () => {
  const time = new FakeTime(NOON);
  const queue = new DueQueue<DueTask>();
  let most = 0;
  const scheduler = new Scheduler({
    concurrency: 1,
    now: time.now,
    queue,
    onLate: () => {},
    run: () => new Promise(() => {}),
    alarm: (ms, ring) =>
      time.alarm(ms, () => {
        const before = queue.size;
        ring();
        most = Math.max(most, before - queue.size);
      }),
  });
  for (let index = 0; index < 1800; index += 1) scheduler.plan(task(`s${index}`), HOUR);
  await time.pass(HOUR);
  expect(queue.size).toBe(0);
  expect(most).toBe(500);
});
