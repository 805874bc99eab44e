import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import type { SourceHealth } from '../store/hub-store.ts';
import { firstHealth, healthAfter, pausedHealth, resumedHealth } from './health-after.ts';

const MINUTE = 60_000;
const READ = { is: 'read', changes: 0, notes: [] } as const;
const CHANGED = { is: 'read', changes: 2, notes: [] } as const;
const ERROR = { code: 'PageStatusError', httpStatus: 503, message: 'It answers 503.' };
const FAILED = { is: 'failed', error: ERROR, changes: 0 } as const;

const NEW = firstHealth({ nowMs: 0, intervalMs: MINUTE });

/** One check a minute. */
function after(...outcomes: readonly Parameters<typeof healthAfter>[1][]): SourceHealth {
  return outcomes.reduce<SourceHealth>((health, outcome, index) => {
    const atMs = (index + 1) * MINUTE;
    return healthAfter(health, outcome, { atMs, intervalMs: MINUTE, dueAtMs: atMs + MINUTE });
  }, NEW);
}

test('a source that was never checked is due at once', () => {
  expect(NEW).toEqual({ changed: false, failures: 0, intervalMs: MINUTE, dueAtMs: 0, changeGapsMs: [] });
});

test('a good check says when, and when next', () => {
  expect(after(READ)).toEqual({
    ...NEW,
    looks: 1,
    lastCheckMs: MINUTE,
    lastOkMs: MINUTE,
    dueAtMs: 2 * MINUTE,
  });
});

clause('DD-E5', 'a source is stale since the first failure of the row', () => {
  expect(after(READ, FAILED, FAILED, FAILED)).toMatchObject({ failures: 3, staleSinceMs: 2 * MINUTE, error: ERROR });
  expect(after(FAILED, FAILED).staleSinceMs).toBe(MINUTE);
  expect(after(FAILED, READ, FAILED).staleSinceMs).toBe(3 * MINUTE);
});

clause('DD-E8', 'while a host wants peace, the status with which it asked for it stays', () => {
  const PAUSED = { ...FAILED, error: { code: 'HostPausedError', message: 'It asked for a pause.' } };
  expect(after(FAILED, PAUSED, PAUSED).error).toEqual({ ...PAUSED.error, httpStatus: 503 });
  expect(after(PAUSED).error).toEqual(PAUSED.error);
  expect(after(FAILED, READ, PAUSED).error).toEqual(PAUSED.error);
  const other = { ...FAILED, error: { ...ERROR, httpStatus: 500 } };
  expect(after(other, PAUSED).error).toEqual(PAUSED.error);
  expect(after(FAILED, { ...FAILED, error: { code: 'DnsError', message: 'No address.' } }).error).not.toHaveProperty(
    'httpStatus',
  );
});

clause('DD-E6', 'failures leave the last good check as it was', () => {
  expect(after(READ, FAILED, FAILED).lastOkMs).toBe(MINUTE);
  expect(after(FAILED)).not.toHaveProperty('lastOkMs');
});

clause('DD-E12', 'a good check ends the row of failures and all that was said of it', () => {
  const health = after(READ, FAILED, FAILED, READ);
  expect(health.failures).toBe(0);
  expect(health).not.toHaveProperty('staleSinceMs');
  expect(health).not.toHaveProperty('error');
});

clause('DD-E1', 'only a good check that found something has changed, and only until the next', () => {
  expect(after(CHANGED).changed).toBe(true);
  expect(after(CHANGED, READ).changed).toBe(false);
  expect(after(CHANGED, FAILED).changed).toBe(false);
  expect(after(CHANGED, { ...FAILED, changes: 4 }).changed).toBe(false);
  expect(pausedHealth(after(CHANGED), 5 * MINUTE).changed).toBe(false);
});

test('a fallback is named only while it is used', () => {
  expect(after({ ...READ, fallback: 1 }).fallback).toBe(1);
  expect(after({ ...READ, fallback: 1 }, READ)).not.toHaveProperty('fallback');
  expect(after({ ...READ, fallback: 1 }, FAILED)).not.toHaveProperty('fallback');
});

test('the gaps between changes are kept, the newest twenty', () => {
  expect(after(CHANGED).changeGapsMs).toEqual([]);
  expect(after(CHANGED, READ, FAILED, CHANGED, CHANGED).changeGapsMs).toEqual([3 * MINUTE, MINUTE]);
  const many = after(CHANGED, READ, ...Array.from({ length: 30 }, () => CHANGED));
  expect(many.changeGapsMs).toEqual(Array.from({ length: 20 }, () => MINUTE));
  expect(many.lastChangeMs).toBe(32 * MINUTE);
});

test('a clock that was set back leaves no gap', () => {
  const before = after(CHANGED);
  const health = healthAfter(before, CHANGED, { atMs: 1000, intervalMs: MINUTE, dueAtMs: 2000 });
  expect(health).toMatchObject({ changeGapsMs: [], lastChangeMs: 1000 });
});

test('a paused source is stale since the pause, or since it failed', () => {
  expect(pausedHealth(after(READ), 5 * MINUTE).staleSinceMs).toBe(5 * MINUTE);
  expect(pausedHealth(after(READ, FAILED), 5 * MINUTE).staleSinceMs).toBe(2 * MINUTE);
});

clause('DD-E12', 'a resumed source is due, counts failures on, and stays stale until it is read', () => {
  const resumed = resumedHealth(pausedHealth(after(READ, FAILED, FAILED), 5 * MINUTE), 9 * MINUTE);
  expect(resumed).toMatchObject({ dueAtMs: 9 * MINUTE, failures: 2, staleSinceMs: 2 * MINUTE, error: ERROR });
  const moment = { atMs: 10 * MINUTE, intervalMs: MINUTE, dueAtMs: 11 * MINUTE };
  expect(healthAfter(resumed, FAILED, moment)).toMatchObject({ failures: 3, staleSinceMs: 2 * MINUTE });
  expect(healthAfter(resumed, READ, moment)).not.toHaveProperty('staleSinceMs');
});

test('pages that could not be read are those of the last good check', () => {
  expect(after({ ...READ, unread: 3 }).unread).toBe(3);
  expect(after({ ...READ, unread: 3 }, FAILED).unread).toBe(3);
  expect(after({ ...READ, unread: 3 }, { ...READ, unread: 0 })).not.toHaveProperty('unread');
});

test('rules are remembered that the last good check read by', () => {
  const rules = [{ ignore: ['.ad'] }];
  expect(after({ ...READ, rules }).rules).toEqual(rules);
  expect(after({ ...READ, rules }, FAILED).rules).toEqual(rules);
  expect(after({ ...READ, rules }, { ...READ, rules: [{}, ...rules] }).rules).toEqual([{}, ...rules]);
});

test('which way a source is read stays known, also where a check fails', () => {
  const ladder = { rung: 'feed', dialect: 'aicf', sinceMs: 0, failures: 0, turns: 0, falls: [] } as const;
  const failing = { ...ladder, failures: 1 };
  expect(after({ ...READ, ladder }, READ).ladder).toEqual(ladder);
  expect(after({ ...READ, ladder }, { ...FAILED, ladder: failing }).ladder).toEqual(failing);
});
