import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openClusterLab } from '../../../../test/support/cluster-lab.ts';
import { describeOnPostgres } from '../../../../test/support/on-postgres.ts';
import type { LimitExchange } from '../../../hub/keys/limit-exchange.ts';
import { batchOf, SharedLimits } from '../../../hub/keys/shared-limits.ts';
import { alarm } from '../../node/timer-alarm.ts';
import { PostgresLimitExchange } from './limit-exchange.ts';

function onBug(error: unknown): void {
  throw error;
}

/** Counts what one process lets through while it waits for an answer. */
function watched(exchange: LimitExchange) {
  let isUnderWay = false;
  return {
    isUnderWay: () => isUnderWay,
    exchange: {
      async report(reports: Parameters<LimitExchange['report']>[0]) {
        isUnderWay = true;
        try {
          return await exchange.report(reports);
        } finally {
          isUnderWay = false;
        }
      },
    },
  };
}

describeOnPostgres('limits over several processes', (server) => {
  test('a client gets its limit and at most a batch of each process more, in whatever order it asks them', {
    timeout: 120_000,
  }, async () => {
    await using lab = await openClusterLab(server().url);
    const database = await lab.openDatabase();
    let round = 0;
    let most = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 9 })), { minLength: 20, maxLength: 60 }),
        async (processes, limit, asked) => {
          round += 1;
          const exchange = new PostgresLimitExchange(database);
          const all = Array.from({ length: processes }, () => new SharedLimits({ exchange, alarm, onBug }));
          const limiters = all.map((limits) => limits.limiter(`round ${round}`, { now: Date.now }));
          let allowed = 0;
          let offered = 0;
          for (const [to, count] of asked) {
            const at = to % processes;
            for (let number = 0; number < count; number++) {
              offered += 1;
              if (limiters[at]?.take('client', limit).isAllowed) allowed += 1;
              // Nothing is asked during an exchange: what is asked then comes on top.
              await all[at]?.settled();
            }
          }
          await Promise.all(all.map((limits) => limits[Symbol.asyncDispose]()));
          most = Math.max(most, allowed - limit);
          expect(allowed).toBeLessThanOrEqual(limit + processes * batchOf(limit));
          expect(allowed, 'nobody is refused what is his').toBeGreaterThanOrEqual(Math.min(limit, offered));
        },
      ),
      { numRuns: 40 },
    );
    expect(most, 'more than the limit does come through').toBeGreaterThan(0);
  });

  test('under load, what is asked during an exchange comes on top, and nothing else', { timeout: 60_000 }, async () => {
    await using lab = await openClusterLab(server().url);
    const [limit, processes] = [400, 3];
    const opened = await Promise.all(
      Array.from({ length: processes }, async () => {
        const watch = watched(new PostgresLimitExchange(await lab.openDatabase()));
        const limits = new SharedLimits({ exchange: watch.exchange, alarm, onBug });
        return { watch, limits, limiter: limits.limiter('feeds', { now: Date.now }) };
      }),
    );
    let [allowed, during] = [0, 0];
    const ask = async ({ watch, limiter }: (typeof opened)[number]) => {
      for (let number = 0; number < 1500; number++) {
        const isDuring = watch.isUnderWay();
        if (limiter.take('client', limit).isAllowed) {
          allowed += 1;
          if (isDuring) during += 1;
        }
        if (number % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all(opened.map(ask));
    await Promise.all(opened.map(({ limits }) => limits[Symbol.asyncDispose]()));
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit + processes * batchOf(limit) + during);
    const { rows } = await lab.client.query(`SELECT total FROM ${lab.schema}.limits`);
    expect(rows, 'everything is added up').toEqual([{ total: allowed }]);
  });

  test('without the database each process lets its limit through and no more; with it all is added up', {
    timeout: 60_000,
  }, async () => {
    await using lab = await openClusterLab(server().url);
    await lab.openDatabase();
    const proxy = await lab.cutOff();
    const database = await lab.openDatabase();
    const all = [1, 2].map(() => new SharedLimits({ exchange: new PostgresLimitExchange(database), alarm, onBug }));
    const limiters = all.map((limits) => limits.limiter('feeds', { now: Date.now }));
    proxy.cutAt('limits', 'before');
    const counts = limiters.map((limiter) => [...Array(50)].filter(() => limiter.take('a', 30).isAllowed).length);
    expect(counts).toEqual([30, 30]);
    await Promise.all(all.map((limits) => limits.settled()));
    expect(proxy.fired()).toBeGreaterThan(0);
    expect(limiters.map((limiter) => limiter.take('a', 30).isAllowed)).toEqual([false, false]);
    proxy.mend();
    const total = async () => (await lab.client.query(`SELECT total FROM ${lab.schema}.limits`)).rows;
    await expect.poll(total, { timeout: 20_000 }).toEqual([{ total: 60 }]);
    for (const limits of all) await limits[Symbol.asyncDispose]();
  });

  test('windows end by the clock of the database, and are dropped then', async () => {
    await using lab = await openClusterLab(server().url);
    const exchange = new PostgresLimitExchange(await lab.openDatabase());
    const report = (client: string, count: number, leftMs = 60_000) =>
      exchange.report([{ limit: 'feeds', client, count, leftMs }]);
    expect(await report('a', 3)).toEqual([{ total: 3, leftMs: expect.any(Number) }]);
    const [second] = await report('a', 4, 1000);
    expect(second).toMatchObject({ total: 7 });
    expect(second?.leftMs, 'that of the first one').toBeGreaterThan(50_000);
    await lab.client.query(`UPDATE ${lab.schema}.limits SET ends_at = clock_timestamp() - interval '1 ms'`);
    expect(await report('a', 1)).toMatchObject([{ total: 1 }]);
    await lab.client.query(`UPDATE ${lab.schema}.limits SET ends_at = clock_timestamp() - interval '1 ms'`);
    for (let call = 0; call < 100; call++) await report('b', 1);
    const { rows } = await lab.client.query(`SELECT client FROM ${lab.schema}.limits`);
    expect(rows).toEqual([{ client: 'b' }]);
  });
});
