import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogLockedError } from '../errors/log-error.ts';
import type { Change, ChangeDraft } from '../model/change.ts';
import type { Log, ReadRange } from './log.ts';

export interface LogWorld {
  readonly now: () => number;
  readonly random: (size: number) => Uint8Array;
}

/** One place where a log can live. Opening it again finds what was stored there. */
export interface LogPlace {
  open(world: LogWorld): Promise<Log>;
}

const NOON = Date.parse('2026-03-01T12:00:00Z');

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

    test('an invalid draft is an InvalidChangeError', async () => {
      const log = await (await makePlace()).open(worldAt(NOON));
      await expect(log.append([draft('a', { time: 'soon' })])).rejects.toThrow(
        expect.objectContaining({ name: 'InvalidChangeError' }),
      );
      await log.close();
    });
  });
}

function worldAt(nowMs: number): LogWorld {
  let seed = 0;
  return {
    now: () => nowMs,
    random: (size) =>
      Uint8Array.from({ length: size }, () => {
        seed = (seed * 16807 + 12345) % 2147483647;
        return seed >> 16;
      }),
  };
}

function draft(path: string, rest: Partial<ChangeDraft> = {}): ChangeDraft {
  return { source: 'docs', action: 'update', url: `https://docs.example/${encodeURI(path)}`, ...rest };
}

function drafts(count: number, rest: Partial<ChangeDraft> = {}): ChangeDraft[] {
  return Array.from({ length: count }, (_, index) => draft(`page-${index}`, rest));
}

async function all(log: Log, range?: ReadRange): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const change of log.read(range)) changes.push(change);
  return changes;
}

function expectInOrder(changes: readonly Change[]): void {
  for (const [index, change] of changes.entries()) {
    const before = changes[index - 1];
    expect(change.seq).toBe(index + 1);
    if (before === undefined) continue;
    expect(change.id > before.id, `${change.id} after ${before.id}`).toBe(true);
    expect(Date.parse(change.time)).toBeGreaterThanOrEqual(Date.parse(before.time));
  }
}
