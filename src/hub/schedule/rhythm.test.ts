import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { type FinishedCheck, firstIntervalMs, nextCheck, startDelayMs } from './rhythm.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOON = Date.parse('2026-03-01T12:00:00Z');

const FOLDER: SourceConfig = { id: 'docs', kind: 'folder', path: '/site', site: 'https://docs.example/' };
const SITE: SourceConfig = { id: 'live', kind: 'site', url: 'https://live.example/' };
const PAGE: SourceConfig = { id: 'terms', kind: 'page', urls: ['https://acme.example/terms'] };
const FEED: SourceConfig = { id: 'acme', kind: 'feed', url: 'https://acme.example/', dialect: 'aicf' };

/** The middle: no jitter. */
const PUBLIC = { random: () => 0.5, allowPrivate: false };
const PRIVATE = { random: () => 0.5, allowPrivate: true };

const NOTHING = { is: 'read', changes: 0, notes: [] } as const;
const CHANGED = { is: 'read', changes: 3, notes: [] } as const;
const FAILED = { is: 'failed', error: { code: 'DnsError', message: 'No such host.' }, changes: 0 } as const;

function check(config: SourceConfig, over: Partial<FinishedCheck>): FinishedCheck {
  return { config, intervalMs: firstIntervalMs(config, PUBLIC), outcome: NOTHING, failures: 1, tookMs: 0, ...over };
}

test.each([
  [FOLDER, 30_000],
  [FEED, MINUTE],
  [SITE, 15 * MINUTE],
  [PAGE, 10 * MINUTE],
  [{ ...SITE, intervalSeconds: 300 }, 300_000],
])('the first rhythm of %o is %i ms', (config, ms) => {
  expect(firstIntervalMs(config, PUBLIC)).toBe(ms);
});

test.each([
  [FOLDER, 10_000, 10 * MINUTE],
  [FEED, MINUTE, DAY],
  [SITE, 5 * MINUTE, DAY],
  [PAGE, 2 * MINUTE, DAY],
])('the rhythm of %o stays within %i and %i ms', (config, shortest, longest) => {
  const rhythm = (outcome: FinishedCheck['outcome']) => {
    let intervalMs = firstIntervalMs(config, PUBLIC);
    for (let round = 0; round < 60; round++)
      intervalMs = nextCheck(check(config, { intervalMs, outcome }), PUBLIC).intervalMs;
    return intervalMs;
  };
  expect(rhythm(CHANGED)).toBe(shortest);
  expect(rhythm(NOTHING)).toBe(longest);
});

test('it halves after a change and grows by a quarter after none', () => {
  expect(nextCheck(check(SITE, { outcome: CHANGED }), PUBLIC).intervalMs).toBe(7.5 * MINUTE);
  expect(nextCheck(check(SITE, {}), PUBLIC).intervalMs).toBe(18.75 * MINUTE);
});

clause('RS-U7', 'a site with ResourceSync is read once a day, unless its operator says otherwise', () => {
  const lists: SourceConfig = { ...FEED, dialect: 'resourcesync' };
  expect(firstIntervalMs(lists, PUBLIC)).toBe(DAY);
  for (const outcome of [NOTHING, CHANGED]) {
    expect(nextCheck(check(lists, { outcome }), PUBLIC)).toEqual({ intervalMs: DAY, delayMs: DAY });
  }
  expect(nextCheck(check(lists, { outcome: FAILED, failures: 1 }), PUBLIC).delayMs).toBe(5 * MINUTE);
  expect(firstIntervalMs({ ...lists, intervalSeconds: 3600 }, PUBLIC)).toBe(HOUR);
});

test('feeds for people are not asked as often as those for machines', () => {
  for (const dialect of ['atom', 'rss', 'json-feed']) {
    const feed: SourceConfig = { ...FEED, dialect };
    expect(firstIntervalMs(feed, PUBLIC)).toBe(30 * MINUTE);
    expect(nextCheck(check(feed, { outcome: CHANGED, intervalMs: MINUTE }), PUBLIC).intervalMs).toBe(10 * MINUTE);
  }
});

test('a feed is not read before it says that it has anything new', () => {
  const outcome = { ...CHANGED, freshMs: HOUR };
  expect(nextCheck(check(FEED, { outcome }), PUBLIC)).toEqual({ intervalMs: HOUR, delayMs: HOUR });
  expect(nextCheck(check(FEED, { outcome }), { ...PUBLIC, random: () => 0 }).delayMs).toBe(HOUR);
  expect(nextCheck(check(FEED, { outcome: { ...CHANGED, freshMs: 400 * DAY } }), PUBLIC).delayMs).toBe(DAY);
});

test('behind one failure a source is asked again within its interval and five minutes, then ever later up to an hour', () => {
  const delays = (config: SourceConfig, intervalMs: number, options = PUBLIC) =>
    [1, 2, 3, 4, 5, 60, 5000].map(
      (failures) =>
        nextCheck(check(config, { outcome: FAILED, failures, intervalMs, tookMs: 0 }), options).delayMs / MINUTE,
    );
  expect(delays(FEED, MINUTE)).toEqual([1, 2, 4, 8, 16, 60, 60]);
  expect(delays(PAGE, DAY)).toEqual([5, 10, 20, 40, 60, 60, 60]);
  expect(delays({ ...FEED, dialect: 'rss' }, 30 * MINUTE)).toEqual([5, 10, 20, 40, 60, 60, 60]);
  expect(delays({ ...FEED, intervalSeconds: 60 }, MINUTE)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(delays({ ...FEED, intervalSeconds: 1800 }, 30 * MINUTE)).toEqual([5, 10, 20, 30, 30, 30, 30]);
  for (const random of [0, 0.999]) {
    const [first = 0, second = 0] = delays(PAGE, DAY, { ...PUBLIC, random: () => random });
    expect([first <= 5, second <= 10, first >= 4, second >= 9]).toEqual([true, true, true, true]);
  }
  expect(nextCheck(check(PAGE, { outcome: FAILED, intervalMs: DAY }), PUBLIC).intervalMs).toBe(DAY);
});

test('no origin and no stored plan keeps a source from its checks for more than a day', () => {
  const outcome = { ...FAILED, retryAfterMs: 3650 * DAY };
  for (const config of [FEED, { ...FEED, intervalSeconds: 60 }]) {
    expect(nextCheck(check(config, { outcome }), PUBLIC).delayMs).toBe(DAY);
  }
  const health = { changed: false, failures: 1, intervalMs: HOUR, changeGapsMs: [], lastCheckMs: NOON - HOUR };
  const plan = { ...health, dueAtMs: NOON + 3650 * DAY };
  expect(startDelayMs(plan, NOON, PUBLIC)).toBeLessThanOrEqual(1.1 * DAY);
  expect(startDelayMs({ ...plan, intervalMs: 30 * DAY, dueAtMs: NOON + 20 * DAY }, NOON, PUBLIC)).toBe(20 * DAY);
});

test('a pause that the origin asked for is kept, with and without a given interval', () => {
  const outcome = { ...FAILED, retryAfterMs: 5 * HOUR };
  const least = { ...PUBLIC, random: () => 0 };
  expect(nextCheck(check(FEED, { outcome }), least).delayMs).toBe(5 * HOUR);
  expect(nextCheck(check({ ...FEED, intervalSeconds: 60 }, { outcome }), least).delayMs).toBe(5 * HOUR);
});

test('while a source is spared by itself, a given interval goes on, and another rhythm waits', () => {
  const outcome = { ...FAILED, retryAfterMs: 5 * HOUR, isSpared: true } as const;
  const least = { ...PUBLIC, random: () => 0 };
  expect(nextCheck(check({ ...FEED, intervalSeconds: 60 }, { outcome, tookMs: 0 }), least).delayMs).toBe(MINUTE);
  expect(nextCheck(check(FEED, { outcome }), least).delayMs).toBe(5 * HOUR);
});

test('a given interval counts from the start of a check, whatever it came to, without jitter', () => {
  const config = { ...SITE, intervalSeconds: 300 };
  for (const outcome of [NOTHING, CHANGED, FAILED]) {
    const next = nextCheck(check(config, { outcome, tookMs: 20_000, failures: 9 }), { ...PUBLIC, random: () => 0.99 });
    expect(next).toEqual({ intervalMs: 300_000, delayMs: 280_000 });
  }
});

test('a check that takes longer than its interval is followed by one, not by those that were missed', () => {
  const config = { ...SITE, intervalSeconds: 300 };
  expect(nextCheck(check(config, { tookMs: 2 * HOUR }), PUBLIC)).toEqual({ intervalMs: 300_000, delayMs: 0 });
});

test('a public host is not asked more than once a minute, whatever is stored', () => {
  const config = { ...FEED, intervalSeconds: 1 };
  expect(firstIntervalMs(config, PUBLIC)).toBe(MINUTE);
  expect(firstIntervalMs(config, PRIVATE)).toBe(1000);
  expect(firstIntervalMs({ ...FOLDER, intervalSeconds: 1 }, PUBLIC)).toBe(1000);
});

test('jitter is a tenth at most, both ways, and never under what is allowed', () => {
  const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(jitter, fc.integer({ min: 5 * MINUTE, max: DAY }), (random, intervalMs) => {
      const next = nextCheck(check(SITE, { intervalMs }), { random: () => random, allowPrivate: false });
      expect(next.delayMs).toBeGreaterThanOrEqual(Math.max(5 * MINUTE, Math.floor(next.intervalMs * 0.9)));
      expect(next.delayMs).toBeLessThanOrEqual(Math.ceil(next.intervalMs * 1.1));
    }),
  );
  const delay = (random: number) => nextCheck(check(SITE, {}), { ...PUBLIC, random: () => random }).delayMs;
  expect(delay(0)).toBeLessThan(delay(0.999));
});

test('a start asks what was never read at once, what is overdue within seconds, the rest when it is due', () => {
  const delay = (lastCheckMs: number | undefined, dueAtMs: number) => {
    const health = { changed: false, failures: 0, intervalMs: HOUR, dueAtMs, changeGapsMs: [] };
    const known = lastCheckMs === undefined ? health : { ...health, lastCheckMs };
    return startDelayMs(known, NOON, { random: () => 0.999 });
  };
  expect(delay(undefined, NOON)).toBe(0);
  expect(delay(undefined, NOON + DAY)).toBe(0);
  expect(delay(NOON - DAY, NOON - 23 * HOUR)).toBe(4995);
  expect(delay(NOON - HOUR, NOON + 10 * MINUTE)).toBe(10 * MINUTE);
  // The clock was set back by a year meanwhile.
  expect(delay(NOON + 365 * DAY, NOON + 365 * DAY + HOUR)).toBe(HOUR);
});

test('a feed that may not be asked sooner is not looked at sooner, whatever the operator gave', () => {
  const outcome = { ...NOTHING, freshMs: HOUR };
  const given = { ...FEED, intervalSeconds: 1 };
  expect(nextCheck(check(given, { outcome }), PRIVATE)).toEqual({ intervalMs: 1000, delayMs: 1000 });
  const bound = { ...outcome, isBound: true } as const;
  expect(nextCheck(check(given, { outcome: bound }), PRIVATE)).toEqual({ intervalMs: 1000, delayMs: HOUR });
});
