import { expect, test } from 'vitest';
import { FakeTime } from '../../../test/support/fake-time.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { LimitExchange, SharedCount } from './limit-exchange.ts';
import { batchOf, SharedLimits } from './shared-limits.ts';

const MINUTE = 60_000;

/** Adds up in memory, and can be away. */
class MemoryExchange implements LimitExchange {
  readonly totals = new Map<string, SharedCount & { readonly endsMs: number }>();
  readonly #time: FakeTime;
  isAway = false;
  refused = 0;
  calls = 0;

  constructor(time: FakeTime) {
    this.#time = time;
  }

  async report(reports: Parameters<LimitExchange['report']>[0]): Promise<readonly SharedCount[]> {
    this.calls += 1;
    if (this.isAway) {
      this.refused += 1;
      throw new LogUnavailableError('the database', new Error('away'));
    }
    const nowMs = this.#time.now();
    return reports.map(({ limit, client, count, leftMs }) => {
      const known = this.totals.get(`${limit} ${client}`);
      const open = known !== undefined && known.endsMs > nowMs ? known : { total: 0, endsMs: nowMs + leftMs };
      const next = { total: open.total + count, endsMs: open.endsMs, leftMs: open.endsMs - nowMs };
      this.totals.set(`${limit} ${client}`, next);
      return next;
    });
  }
}

function lab(processes: number) {
  const time = new FakeTime(Date.parse('2026-03-01T12:00:00Z'));
  const exchange = new MemoryExchange(time);
  const onBug = (error: unknown) => {
    throw error;
  };
  const all = Array.from({ length: processes }, () => new SharedLimits({ exchange, alarm: time.alarm, onBug }));
  const limiters = all.map((limits) => limits.limiter('feeds', { now: () => time.now() }));
  const settle = async () => void (await Promise.all(all.map((limits) => limits.settled())));
  return { time, exchange, all, limiters, settle };
}

test('what one process lets through counts in the others, and a window ends for all', async () => {
  const { time, limiters, settle } = lab(2);
  const [one, two] = limiters;
  for (let at = 0; at < 40; at++) expect(one?.take('a', 40).isAllowed).toBe(true);
  await settle();
  expect(two?.take('a', 40).isAllowed, 'it does not know the client yet').toBe(true);
  await time.pass(1000);
  await settle();
  expect(two?.take('a', 40)).toMatchObject({ isAllowed: false, remaining: 0 });
  expect(two?.take('b', 40).isAllowed, 'another client').toBe(true);
  await time.pass(MINUTE);
  expect(one?.take('a', 40).isAllowed).toBe(true);
  expect(two?.take('a', 40).isAllowed).toBe(true);
});

test('few requests are told once a second, many at once, and refused ones not at all', async () => {
  const { time, exchange, limiters, settle } = lab(1);
  limiters[0]?.take('a', 100);
  await settle();
  expect(exchange.calls).toBe(0);
  await time.pass(1000);
  await settle();
  expect([exchange.calls, exchange.totals.get('feeds a')?.total]).toEqual([1, 1]);
  for (let at = 0; at < batchOf(100); at++) limiters[0]?.take('a', 100);
  await settle();
  expect([exchange.calls, exchange.totals.get('feeds a')?.total]).toEqual([2, 6]);
  for (let at = 0; at < 200; at++) limiters[0]?.take('a', 100);
  await time.pass(5000);
  await settle();
  expect(exchange.totals.get('feeds a')?.total).toBe(100);
});

test('while nobody adds up, each process counts for itself and asks once a second; then all counts', async () => {
  const { time, exchange, limiters, settle } = lab(2);
  exchange.isAway = true;
  const allowed = () => limiters.map((limiter) => [...Array(30)].filter(() => limiter.take('a', 20).isAllowed).length);
  expect(allowed()).toEqual([20, 20]);
  await settle();
  await time.pass(3000);
  expect(exchange.refused).toBeGreaterThan(0);
  expect(exchange.refused, 'not for each request').toBeLessThanOrEqual(8);
  exchange.isAway = false;
  await time.pass(1000);
  await settle();
  expect(exchange.totals.get('feeds a')?.total).toBe(40);
});

test('what was counted for a name goes over to another one in all processes', async () => {
  const { time, limiters, settle } = lab(2);
  for (let at = 0; at < 20; at++) limiters[0]?.take('old', 20);
  limiters[0]?.move('old', 'new');
  await settle();
  limiters[1]?.take('new', 20);
  await time.pass(1000);
  await settle();
  expect(limiters[1]?.take('new', 20).isAllowed).toBe(false);
  expect(limiters[0]?.take('new', 20).isAllowed).toBe(false);
});

test('what is left is told when a process ends', async () => {
  const { exchange, all, limiters } = lab(1);
  limiters[0]?.take('a', 100);
  await all[0]?.[Symbol.asyncDispose]();
  expect(exchange.totals.get('feeds a')?.total).toBe(1);
});
