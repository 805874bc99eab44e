import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { viewSource } from '../routes/source-view.ts';
import type { CheckError, SourceHealth, WatchedSource } from '../store/hub-store.ts';
import { healthAfter } from './health-after.ts';
import { encodeHealthReport, healthReport } from './health-report.ts';
import { type SourceNews, type SourceStatus, sourceStatus } from './source-status.ts';

const T0 = Date.parse('2026-02-06T16:00:00Z');
const HOUR = 3_600_000;
const NOW = T0 + 2 * HOUR;
const FRESH: SourceHealth = { changed: false, failures: 0, intervalMs: HOUR, dueAtMs: NOW, changeGapsMs: [] };
const READ: SourceHealth = { ...FRESH, lastCheckMs: T0, lastOkMs: T0 };
const UNAVAILABLE: CheckError = { code: 'PageStatusError', httpStatus: 503, message: 'It answered with status 503.' };
const FAILED: SourceHealth = {
  ...READ,
  lastCheckMs: T0 + HOUR,
  failures: 3,
  staleSinceMs: T0 + HOUR / 2,
  error: UNAVAILABLE,
};
const NEVER_READ: SourceHealth = { ...FAILED, lastOkMs: undefined };
const MIRRORED: SourceHealth = { ...READ, fallback: 1 };
const LAST_ID = '01KH0000000000000000000002';
const CURSOR = `sha256:${'a'.repeat(64)}`;
const BEFORE = `sha256:${'b'.repeat(64)}`;
const NO_NEWS: SourceNews = { lastChangeIdOf: () => undefined, standingOf: () => undefined };
const QUIET_RUN = { cursor: CURSOR, prevCursor: CURSOR, changed: false };
const NEWS: SourceNews = { lastChangeIdOf: () => LAST_ID, standingOf: () => QUIET_RUN };

function source(id: string, health: SourceHealth, paused?: string): WatchedSource {
  const config = { id, kind: 'site', url: `https://${id}.example/` } as const;
  return { config, origin: 'config', addedAtMs: T0 - HOUR, health, ...(paused !== undefined && { paused }) };
}

/** The entry of a source as a reader of the JSON gets it. */
function entry(health: SourceHealth, { paused, news = NEWS }: { paused?: string; news?: SourceNews } = {}) {
  const written = encodeHealthReport(
    healthReport([source('s1', health, paused)], { news, nowMs: NOW, writable: true }),
  );
  const { sources } = JSON.parse(written) as { sources: { s1: SourceStatus } };
  return sources.s1;
}

const ok = () => entry(READ);
const degraded = () => entry(MIRRORED);
const failing = () => entry(FAILED);
const disabled = () => entry({ ...READ, staleSinceMs: T0 + HOUR }, { paused: 'moved house' });

clause('DD-M2', 'the entry of a source shows its status, failures in a row, stale age and fallback', () => {
  expect(entry({ ...FAILED, failures: 7 })).toMatchObject({
    status: 'error',
    consecutive_failures: 7,
    stale: true,
    stale_age_sec: 7200,
  });
  expect(degraded()).toMatchObject({
    status: 'degraded',
    stale: false,
    fallback_active: true,
    fallback_index: 1,
    degraded_reason: 'primary_endpoint_failed',
  });
});

clause('DD-M3', 'the report counts its sources, and a fallback counts as healthy', () => {
  const sources = Array.from({ length: 24 }, (_, at) => {
    const id = `s${at}`;
    if (at === 0) return source(id, FAILED);
    if (at === 1) return source(id, READ, 'paused');
    return source(id, at < 4 ? MIRRORED : READ);
  });
  const report = JSON.parse(encodeHealthReport(healthReport(sources, { news: NO_NEWS, nowMs: NOW, writable: false })));
  expect(report).toMatchObject({ generated_at: '2026-02-06T18:00:00Z', schema_version: '1.1.0', writable: false });
  expect(report.summary).toEqual({ total: 24, ok: 20, degraded: 2, error: 1, disabled: 1, health_pct: 91.7 });
  expect(Object.keys(report.sources)).toEqual(sources.map(({ config }) => config.id));
});

clause(['DD-E1', 'DD-E2'], 'a source that fails or is paused has not changed and is stale', () => {
  const changedBefore = { ...FAILED, changed: true };
  expect(entry(changedBefore)).toMatchObject({ status: 'error', changed: false, stale: true });
  expect(entry(changedBefore, { paused: 'off' })).toMatchObject({ status: 'disabled', changed: false, stale: true });
  expect(ok()).toMatchObject({ status: 'ok', stale: false });
});

clause('DD-E3', 'the cursor of a source that fails stays where it was, and is null while it was never read', () => {
  expect(ok().cursor).toBe(CURSOR);
  expect(failing().cursor).toBe(CURSOR);
  expect(disabled().cursor).toBe(CURSOR);
  expect(entry(NEVER_READ, { news: NO_NEWS }).cursor).toBeNull();
});

clause('DD-E4', 'prev_cursor equals cursor while a source fails or is paused', () => {
  const changed = { ...NEWS, standingOf: () => ({ cursor: CURSOR, prevCursor: BEFORE, changed: true }) };
  expect(entry(FAILED, { news: changed })).toMatchObject({ changed: false, cursor: CURSOR, prev_cursor: CURSOR });
  expect(entry(READ, { paused: 'off', news: changed })).toMatchObject({ changed: false, prev_cursor: CURSOR });
  expect(entry(NEVER_READ, { news: NO_NEWS }).prev_cursor).toBeNull();
});

test('the cursors are those of the run, and differ if and only if it changed something', () => {
  expect(ok()).toMatchObject({ changed: false, cursor: CURSOR, prev_cursor: CURSOR });
  const changed = { ...NEWS, standingOf: () => ({ cursor: CURSOR, prevCursor: BEFORE, changed: true }) };
  expect(entry(READ, { news: changed })).toMatchObject({ changed: true, cursor: CURSOR, prev_cursor: BEFORE });
  const first = { ...NEWS, standingOf: () => ({ cursor: CURSOR, prevCursor: null, changed: true }) };
  expect(entry(READ, { news: first })).toMatchObject({ changed: true, prev_cursor: null });
});

test('the status of a source is made anew only when something about it changed', () => {
  const same = source('s1', READ);
  const first = sourceStatus(same, NO_NEWS, NOW);
  expect(sourceStatus(same, NO_NEWS, NOW + HOUR)).toBe(first);
  expect(sourceStatus(same, NEWS, NOW).cursor).not.toBe(first.cursor);
  const ailing = source('s1', FAILED);
  expect(sourceStatus(ailing, NEWS, NOW).stale_age_sec).toBe(7200);
  expect(sourceStatus(ailing, NEWS, NOW + 1000).stale_age_sec).toBe(7201);
});

clause('DD-E5', 'stale_since is the first failure of a row, or the moment of the pause', () => {
  expect(failing().stale_since).toBe('2026-02-06T16:30:00Z');
  expect(disabled().stale_since).toBe('2026-02-06T17:00:00Z');
  expect(entry(FRESH, { paused: 'from the start' }).stale_since).toBe('2026-02-06T15:00:00Z');
  expect(ok()).not.toHaveProperty('stale_since');
});

clause('DD-E6', 'last_ok_at is the last good check, and is absent where there was none', () => {
  expect(failing().last_ok_at).toBe('2026-02-06T16:00:00Z');
  expect(disabled().last_ok_at).toBe('2026-02-06T16:00:00Z');
  expect(entry(NEVER_READ)).not.toHaveProperty('last_ok_at');
});

clause('DD-E7', 'stale_age_sec counts whole seconds since last_ok_at, and is absent with it', () => {
  expect(entry({ ...FAILED, lastOkMs: NOW - HOUR - 400 }).stale_age_sec).toBe(3600);
  expect(disabled().stale_age_sec).toBe(7200);
  expect(entry(NEVER_READ)).not.toHaveProperty('stale_age_sec');
  expect(entry({ ...FAILED, lastOkMs: NOW + HOUR }).stale_age_sec, 'the clock stepped back').toBe(0);
});

clause('DD-E8', 'an error has a code, and the HTTP status where there was one', () => {
  expect(failing().error).toEqual({ code: 'PageStatusError', http_status: 503 });
  const unresolved = { ...FAILED, error: { code: 'DnsError', message: 'No such name.' } };
  expect(entry(unresolved).error).toEqual({ code: 'DnsError' });
});

clause('DD-E9', 'no other status has an error', () => {
  for (const status of [ok(), degraded(), disabled(), entry(FAILED, { paused: 'off' })]) {
    expect(status).not.toHaveProperty('error');
  }
});

clause('DD-E10', 'a paused source says why', () => {
  expect(disabled().disabled_reason).toBe('moved house');
  expect(entry(READ, { paused: '' }).disabled_reason).toBe('paused');
});

clause('DD-E11', 'no other status has a disabled_reason', () => {
  for (const status of [ok(), degraded(), failing()]) expect(status).not.toHaveProperty('disabled_reason');
});

clause('DD-E12', 'failures in a row are counted while a source fails, and only then', () => {
  expect(failing().consecutive_failures).toBe(3);
  for (const status of [ok(), degraded(), disabled()]) expect(status).not.toHaveProperty('consecutive_failures');
});

test('a source that was never read has null cursors and no time of a good check (T-DD-11)', () => {
  const status = entry(NEVER_READ, { news: NO_NEWS });
  expect(status).toMatchObject({ changed: false, stale: true, cursor: null, prev_cursor: null });
  expect(status.stale_since).toBe('2026-02-06T16:30:00Z');
  expect(Object.keys(status)).not.toContain('last_ok_at');
});

test('a source that was not checked yet is pending, not failing', () => {
  expect(entry(FRESH, { news: NO_NEWS })).toEqual({
    status: 'ok',
    pending: true,
    changed: false,
    stale: false,
    cursor: null,
    prev_cursor: null,
    kind: 'site',
    next_check_at: '2026-02-06T18:00:00Z',
    quiet: false,
  });
});

test('a source that is read but silent beyond its rhythm is quiet; one that fails is not said to be', () => {
  const silent = { ...READ, lastChangeMs: T0 - 999 * HOUR, changeGapsMs: Array(5).fill(HOUR) };
  expect(entry(silent)).toMatchObject({ status: 'ok', quiet: true, quiet_since: '2025-12-27T11:00:00Z' });
  expect(entry({ ...silent, failures: 1, error: UNAVAILABLE })).toMatchObject({ status: 'error', quiet: false });
});

test('pages that could not be read are counted, where there are any', () => {
  expect(entry({ ...READ, unread: 3 })).toMatchObject({ status: 'ok', unread: 3 });
  expect(entry({ ...FAILED, unread: 3 })).toMatchObject({ status: 'error', unread: 3 });
  expect(entry({ ...READ, unread: 0 })).not.toHaveProperty('unread');
});

test('a hub without sources is healthy', () => {
  expect(healthReport([], { news: NO_NEWS, nowMs: NOW, writable: true }).summary).toMatchObject({
    total: 0,
    health_pct: 100,
  });
});

test('sources keep their order, whatever their ids look like', () => {
  const written = encodeHealthReport(
    healthReport(
      ['10', '9', '__proto__', 'a'].map((id) => source(id, READ)),
      { news: NEWS, nowMs: NOW, writable: true },
    ),
  );
  expect(written).toMatch(/"10":\{.*"9":\{.*"__proto__":\{.*"a":\{/);
  expect(() => JSON.parse(written)).not.toThrow();
});

test('a moment that is no moment is left out', () => {
  expect(entry({ ...READ, dueAtMs: Number.POSITIVE_INFINITY })).not.toHaveProperty('next_check_at');
});

test('whether a feed told the truth is said with counts, also after a check that failed', () => {
  const honesty = {
    atMs: T0,
    sampled: 5,
    compared: 4,
    toldAndTrue: 2,
    toldNotSeen: 1,
    seenNotTold: 1,
    timesOff: { median: 0, max: 3600 },
    pages: [{ url: 'https://s1.example/a', verdict: 'told-not-seen', told: ['https://s1.example/a'], seen: [] }],
  };
  const said = {
    checked_at: '2026-02-06T16:00:00Z',
    compared: 4,
    told_and_true: 2,
    told_not_seen: 1,
    seen_not_told: 1,
  };
  expect(entry({ ...READ, honesty }).honesty).toEqual(said);
  const failed = healthAfter(
    { ...READ, honesty },
    { is: 'failed', error: UNAVAILABLE, changes: 0 },
    { atMs: NOW, intervalMs: HOUR, dueAtMs: NOW + HOUR },
  );
  expect(entry(failed).honesty).toEqual(said);
  expect(viewSource(source('s1', failed), NEWS, NOW).honesty).toMatchObject({ at: '2026-02-06T16:00:00Z', sampled: 5 });
  expect(entry(READ)).not.toHaveProperty('honesty');
});

test('a source that is followed by the best way says which that is, and is degraded while its pages speak for its feed', () => {
  const ladder = { rung: 'feed', dialect: 'aicf', sinceMs: T0, failures: 0, turns: 0, falls: [] } as const;
  const since = { read_by_since: '2026-02-06T16:00:00Z' };
  expect(entry({ ...READ, ladder })).toMatchObject({ status: 'ok', read_by: 'aicf', ...since });
  const fallen = { ...READ, fallback: 0, ladder: { ...ladder, rung: 'pages' } } as const;
  expect(entry(fallen)).toMatchObject({ status: 'degraded', read_by: 'pages', ...since });
  expect(entry(READ)).not.toHaveProperty('read_by');
});
