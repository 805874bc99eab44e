import { expect, test } from 'vitest';
import { NOON, NOTHING_NEW, WatchLab } from '../../../test/support/watch-lab.ts';
import { bound, FAILED, feed, HOUR, MINUTE } from '../../../test/support/watched-feeds.ts';

const SECOND = 1000;
const FLOOR = 10 * SECOND;

test('a source that is said to have news is looked at now, however often that is said, and not sooner than its floor', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const watch = await start([feed('a', 3600)]);
  await time.pass(2 * SECOND);
  for (let times = 0; times < 100; times += 1) watch.hasten('a', FLOOR);
  expect(watch.source('a')?.health.dueAtMs).toBe(NOON + FLOOR);
  await time.pass(HOUR / 2);
  expect(lab.visited.map(({ atMs }) => atMs)).toEqual([0, FLOOR]);
  watch.hasten('a', FLOOR);
  await time.pass(SECOND);
  expect(lab.visited).toHaveLength(3);
});

test('what is said during a look is followed by one more', async () => {
  const { start, time, lab } = bound(new WatchLab());
  const watch = await start([feed('a', 3600)]);
  lab.answer = undefined;
  await time.pass(SECOND);
  watch.hasten('a', FLOOR);
  watch.hasten('a', FLOOR);
  lab.open[0]?.end(NOTHING_NEW);
  lab.answer = () => NOTHING_NEW;
  await time.pass(HOUR / 2);
  expect(lab.visited.map(({ atMs }) => atMs)).toEqual([0, SECOND + FLOOR]);
});

test('a source that fails, whose host wants peace, that is paused or gone is spared', async () => {
  const { start, time, lab } = bound(new WatchLab());
  lab.answer = () => FAILED;
  const watch = await start([feed('a', 3600), feed('b', 3600), feed('c', 3600)]);
  await time.pass(SECOND);
  lab.answer = () => NOTHING_NEW;
  watch.hasten('a', FLOOR);
  expect(watch.source('a')?.health.dueAtMs).toBe(NOON + MINUTE);
  await watch.pause('b', 'not now');
  watch.hasten('b', FLOOR);
  watch.hasten('nobody', FLOOR);
  await time.pass(10 * SECOND);
  expect(lab.visited).toHaveLength(3);

  const pause = { by: 'c.example', untilMs: NOON + 2 * HOUR } as const;
  lab.answer = () => ({ ...NOTHING_NEW, pause }) as typeof NOTHING_NEW;
  await time.pass(10 * MINUTE);
  const visits = lab.ids().filter((id) => id === 'c').length;
  watch.hasten('c', FLOOR);
  await time.pass(20 * MINUTE);
  expect(lab.ids().filter((id) => id === 'c')).toHaveLength(visits);
});

test('who tells of its news lets a source rest for longer, up to a day; it is neither late nor quiet for that', async () => {
  const { start, time, lab } = bound(new WatchLab());
  let restFactor = 6;
  const seen: number[] = [];
  const watch = await start(
    [{ id: 'a', kind: 'feed', dialect: 'atom', url: 'https://a.example/' }, feed('given', 600)],
    {
      restAfter: ({ source, startedMs, endedMs }) => {
        if (source.config.id === 'a') seen.push(startedMs, endedMs);
        return restFactor;
      },
    },
  );
  await time.pass(SECOND);
  const { health } = watch.source('a') ?? {};
  expect(health).toMatchObject({ intervalMs: 37.5 * MINUTE, restMs: 225 * MINUTE, dueAtMs: NOON + 225 * MINUTE });
  expect(seen).toEqual([NOON, NOON]);
  expect(watch.source('given')?.health).toMatchObject({ intervalMs: 10 * MINUTE, dueAtMs: NOON + 10 * MINUTE });
  await time.pass(48 * HOUR);
  expect(watch.source('a')?.health.restMs).toBeLessThanOrEqual(24 * HOUR);
  restFactor = 1;
  watch.hasten('a', FLOOR);
  await time.pass(SECOND);
  expect(watch.source('a')?.health).not.toHaveProperty('restMs');
  expect(lab.ids()).toContain('given');
});
