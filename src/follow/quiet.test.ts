import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietSinceMs } from './quiet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAST_CHANGE = Date.parse('2026-03-01T12:00:00Z');

/** Around `medianMs`, at most `jitter` of it away. */
function gapsAround(medianMs: number, jitter: number) {
  const gap = fc.double({ min: 1 - jitter, max: 1 + jitter, noNaN: true }).map((share) => share * medianMs);
  return fc.array(gap, { minLength: 5, maxLength: 20 });
}

function quietAfter(changeGapsMs: readonly number[], silenceMs: number, intervalMs = MINUTE) {
  return quietSinceMs({
    changeGapsMs,
    lastChangeMs: LAST_CHANGE,
    lastOkMs: LAST_CHANGE + silenceMs,
    intervalMs,
  });
}

function medianOf(gaps: readonly number[]): number {
  const sorted = [...gaps].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

test('a source that goes on as it did is not quiet', () => {
  fc.assert(
    fc.property(gapsAround(HOUR, 0.5), (gaps) => {
      const next = Math.max(...gaps);
      expect(quietAfter(gaps, next)).toBeUndefined();
    }),
  );
});

test('a regular source that stops is said to be quiet within four median gaps, and not within two', () => {
  fc.assert(
    fc.property(gapsAround(HOUR, 0.12), (gaps) => {
      expect(quietAfter(gaps, 4 * medianOf(gaps))).toBeGreaterThan(LAST_CHANGE + 2 * medianOf(gaps));
      expect(quietAfter(gaps, 2 * medianOf(gaps))).toBeUndefined();
    }),
  );
});

test('the moment does not move while the silence lasts', () => {
  fc.assert(
    fc.property(gapsAround(HOUR, 0.9), fc.nat(100 * DAY), (gaps, longer) => {
      const first = quietAfter(gaps, 10 * HOUR);
      expect(quietAfter(gaps, 10 * HOUR + longer)).toBe(first);
    }),
  );
});

test('one long gap among many regular ones does not hide that a source has stopped', () => {
  expect(quietAfter([...Array(19).fill(HOUR), 30 * DAY], 4 * HOUR)).toBe(LAST_CHANGE + 3 * HOUR);
});

test('gaps that come back, such as weekends, are usual', () => {
  const weeks = [DAY, DAY, DAY, DAY, 3 * DAY];
  expect(quietAfter([...weeks, ...weeks, ...weeks], 4 * DAY)).toBeUndefined();
  expect(quietAfter([...weeks, ...weeks, ...weeks], 10 * DAY)).toBe(LAST_CHANGE + 9 * DAY);
});

test('a source that is checked rarely is given the time of ten checks', () => {
  const gaps = Array(6).fill(HOUR);
  expect(quietAfter(gaps, 9 * HOUR, HOUR)).toBeUndefined();
  expect(quietAfter(gaps, 11 * HOUR, HOUR)).toBe(LAST_CHANGE + 10 * HOUR);
});

test('one that rests because somebody tells of its news is given the time of ten of those checks', () => {
  const rhythm = { changeGapsMs: Array(6).fill(HOUR), intervalMs: MINUTE, lastChangeMs: LAST_CHANGE };
  const at = (hours: number) => quietSinceMs({ ...rhythm, restMs: 6 * HOUR, lastOkMs: LAST_CHANGE + hours * HOUR });
  expect([at(59), at(61)]).toEqual([undefined, LAST_CHANGE + 60 * HOUR]);
});

test('four gaps are no rhythm, and neither are gaps without length', () => {
  expect(quietAfter(Array(4).fill(HOUR), 100 * DAY)).toBeUndefined();
  expect(quietAfter(Array(20).fill(0), 100 * DAY)).toBeUndefined();
  expect(quietAfter(Array(5).fill(HOUR), 100 * DAY)).toBe(LAST_CHANGE + 3 * HOUR);
});

test('of a source that never changed, or was not read since, nothing is said', () => {
  const rhythm = { changeGapsMs: Array(9).fill(HOUR), intervalMs: MINUTE };
  expect(quietSinceMs({ ...rhythm, lastOkMs: LAST_CHANGE })).toBeUndefined();
  expect(quietSinceMs({ ...rhythm, lastChangeMs: LAST_CHANGE })).toBeUndefined();
  expect(quietSinceMs({ ...rhythm, lastChangeMs: LAST_CHANGE, lastOkMs: LAST_CHANGE })).toBeUndefined();
});
