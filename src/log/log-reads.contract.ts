import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ReadRange } from './log.ts';
import { all, draft, drafts, type LogPlace, NOON, worldAt } from './log-fixtures.contract.ts';

/** What is read of a log: all that was asked for, as it was appended, and whole batches. */
export function describeReading(name: string, makePlace: () => Promise<LogPlace>): void {
  describe(`${name}: reading`, () => {
    test('a change reads back as it was appended, to the byte, also after opening again', async () => {
      const place = await makePlace();
      const rich = draft('ü/"\u0000\u2028😀', {
        anchor: 'größe',
        claimedTime: '2026-03-01T13:00:00.1234+01:00',
        checksum: `sha256:${'0'.repeat(64)}`,
        title: 'A\nB',
        summary: '',
        note: '\ud800',
        risk: 0.5,
        provenance: { by: 'compare', n: 1, yes: true, gone: undefined },
      });
      const log = await place.open(worldAt(NOON));
      const appended = JSON.stringify(await log.append([rich]));
      expect(JSON.stringify(await all(log))).toBe(appended);
      await log.close();
      const again = await place.open(worldAt(NOON));
      expect(JSON.stringify(await all(again))).toBe(appended);
      expect(JSON.stringify([await again.last()])).toBe(appended);
      await again.close();
    });

    test('read yields what lies behind "after", and at most "limit"', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const stored = [...(await log.append(drafts(700))), ...(await log.append(drafts(803)))];
      const ranges: ReadRange[] = [
        {},
        { after: 0 },
        { after: 1 },
        { after: 699, limit: 2 },
        { limit: 0 },
        { limit: 500 },
        { after: 3, limit: 501 },
        { after: 1000, limit: 503 },
        { after: 1502 },
        { after: 1503 },
        { after: 9999, limit: 5 },
      ];
      for (const range of ranges) {
        const { after = 0, limit = stored.length } = range;
        expect(await all(log, range), JSON.stringify(range)).toEqual(stored.slice(after, after + limit));
      }
      await log.close();
    });

    test('last is the newest change', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      for (const size of [1, 3, 2]) {
        const changes = await log.append(drafts(size));
        expect(await log.last()).toEqual(changes.at(-1));
      }
      await log.close();
    });

    test('a read beside appends sees whole batches only', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const BATCH = 7;
      await log.append(drafts(BATCH * 200));
      let appending = true;
      const appends = (async () => {
        for (let batch = 0; batch < 20; batch += 1) {
          await log.append(drafts(BATCH));
          await nextTurn();
        }
        appending = false;
      })();
      const seen = new Set<number>();
      while (appending) {
        let count = 0;
        for await (const change of log.read()) {
          count += 1;
          if (change.seq % 500 === 0) await nextTurn();
        }
        expect(count % BATCH).toBe(0);
        seen.add(count);
        await nextTurn();
      }
      await appends;
      expect(seen.size, 'reads that fell between appends').toBeGreaterThan(2);
      expect(await all(log)).toHaveLength(BATCH * 220);
      await log.close();
    });

    test('what a caller does to a returned change does not reach the log', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      const [appended] = await log.append([draft('a', { provenance: { by: 'compare' } })]);
      const before = JSON.stringify(await all(log));
      Object.assign(appended?.provenance ?? {}, { by: 'somebody' });
      for await (const change of log.read()) Object.assign(change.provenance, { by: 'somebody' });
      expect(JSON.stringify(await all(log))).toBe(before);
      await log.close();
    });

    test('a range begins at a whole number of at least 0, and a limit that makes no sense is refused', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      await log.append(drafts(3));
      const seqs = async (range: ReadRange) => (await all(log, range)).map(({ seq }) => seq);
      for (const after of [Number.NaN, -5, -0.5, 0.9, Number.NEGATIVE_INFINITY]) {
        expect(await seqs({ after }), String(after)).toEqual([1, 2, 3]);
        expect(await seqs({ after, limit: 2 }), String(after)).toEqual([1, 2]);
      }
      expect(await seqs({ after: 1.5, limit: 1 })).toEqual([2]);
      expect(await seqs({ after: Number.POSITIVE_INFINITY })).toEqual([]);
      expect(await seqs({ limit: 0 })).toEqual([]);
      for (const limit of [Number.NaN, 1.5, -1, Number.NEGATIVE_INFINITY]) {
        await expect(seqs({ limit }), String(limit)).rejects.toThrow(RangeError);
      }
      await log.close();
    });
  });
}
