import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogLockedError } from '../errors/log-error.ts';
import type { Change } from '../model/change.ts';
import { expectInOrder } from './expect-in-order.contract.ts';
import { all, draft, drafts, type LogPlace, type LogWorld, NOON, worldAt } from './log-fixtures.contract.ts';
import { describeReading } from './log-reads.contract.ts';

/** What every log promises. `makePlace` gives a new, empty place each time. */
export function describeLog(name: string, makePlace: () => Promise<LogPlace>): void {
  describe(name, () => {
    test('an append gives each change its place and what the draft left out', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const changes = await log.append([draft('a'), draft('b', { kind: 'endpoint', provenance: { by: 'compare' } })]);
      expect(changes).toEqual([
        { ...draft('a'), seq: 1, id: expect.any(String), kind: 'page', time: '2026-03-01T12:00:00Z', provenance: {} },
        {
          ...draft('b'),
          seq: 2,
          id: expect.any(String),
          kind: 'endpoint',
          time: '2026-03-01T12:00:00Z',
          provenance: { by: 'compare' },
        },
      ]);
      expect(await all(log)).toEqual(changes);
      await log.close();
    });

    test('an empty batch stores nothing, and an empty log has no last change', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      expect(await log.append([])).toEqual([]);
      expect(await log.last()).toBeUndefined();
      expect(await all(log)).toEqual([]);
      await log.close();
    });

    test('seq has no holes, ids rise and time never goes back: over clock steps, batches and opening again', async () => {
      const step = fc.record({
        clockStepMs: fc.integer({ min: -10_000_000, max: 10_000_000 }),
        size: fc.integer({ min: 0, max: 5 }),
        reopen: fc.boolean(),
        time: fc.option(fc.constantFrom('1999-01-01T00:00:00Z', '2026-03-01T14:00:00+01:00', '2026-03-02T00:00:00.5Z')),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const place = await makePlace();
          let nowMs = NOON;
          const world: LogWorld = { ...worldAt(NOON), now: () => nowMs };
          let log = await place.open(world);
          const acked: Change[] = [];
          for (const { clockStepMs, size, reopen, time } of steps) {
            nowMs += clockStepMs;
            acked.push(...(await log.append(drafts(size, time === null ? {} : { time }))));
            if (!reopen) continue;
            await log.close();
            log = await place.open(world);
          }
          const stored = await all(log);
          await log.close();
          expect(stored).toEqual(acked);
          expectInOrder(stored);
        }),
        { numRuns: 25 },
      );
    });

    test('a time with another offset is written in UTC', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const [change] = await log.append([draft('a', { time: '2026-03-01T15:30:00+01:00' })]);
      expect(change?.time).toBe('2026-03-01T14:30:00Z');
      await log.close();
    });

    test('one wrong draft refuses the whole batch, and the log goes on', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      await log.append([draft('a')]);
      await expect(log.append([draft('b'), draft('c', { url: 'ftp://docs.example/' })])).rejects.toMatchObject({
        name: 'InvalidChangeError',
        recovery: 'fix-input',
        index: 1,
        field: 'url',
      });
      expect(await all(log)).toHaveLength(1);
      const [next] = await log.append([draft('d')]);
      expect(next?.seq).toBe(2);
      await log.close();
    });

    test('appends that start together are stored one after the other, each as a whole', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const batches = await Promise.all(
        [3, 1, 4, 1, 5].map((size, batch) => log.append(drafts(size, { note: `${batch}` }))),
      );
      const stored = await all(log);
      expect(stored.map(({ note }) => note).join('')).toBe('00012222344444');
      expect(stored).toEqual(batches.flat());
      expectInOrder(stored);
      await log.close();
    });

    test('a failed append beside others fails alone', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const outcomes = await Promise.allSettled([
        log.append(drafts(2)),
        log.append([draft('x', { source: 'Not Allowed' })]),
        log.append(drafts(1)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await all(log)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      await log.close();
    });

    test('a closed log says so', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      await log.close();
      await log.close();
      await expect(log.append([draft('a')])).rejects.toThrow('The log is closed.');
      await expect(all(log)).rejects.toThrow('The log is closed.');
      await expect(log.last()).rejects.toThrow('The log is closed.');
    });

    test('what was appended before the close is stored, also when nobody waited for it', async () => {
      const place = await makePlace();
      const log = await place.open(worldAt(NOON));
      const appends = [log.append(drafts(2)), log.append(drafts(3))];
      await log.close();
      const acked = (await Promise.all(appends)).flat();
      const again = await place.open(worldAt(NOON));
      expect(await all(again)).toEqual(acked);
      await again.close();
    });

    test('a second writer is turned away while the first one is open', async () => {
      const place = await makePlace();
      const first = await place.open(worldAt(NOON));
      await expect(place.open(worldAt(NOON))).rejects.toThrow(LogLockedError);
      await first.append([draft('a')]);
      await first.close();
      const second = await place.open(worldAt(NOON));
      expect(await all(second)).toHaveLength(1);
      await second.close();
    });

    test('an invalid draft is an InvalidChangeError', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      await expect(log.append([draft('a', { time: 'soon' })])).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidChangeError' }),
      );
      await log.close();
    });
  });

  describeReading(name, makePlace);
}
