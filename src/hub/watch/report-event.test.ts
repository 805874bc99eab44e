import { expect, test } from 'vitest';
import type { SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { HubMetrics } from './metrics.ts';
import { reportEvent } from './report-event.ts';
import type { WatchEvent } from './watch-event.ts';

const HOUR = 3600_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const WELL: SourceHealth = {
  lastCheckMs: NOON,
  lastOkMs: NOON,
  changed: false,
  failures: 0,
  intervalMs: HOUR,
  dueAtMs: NOON + HOUR,
  changeGapsMs: [],
};
const QUIET: SourceHealth = { ...WELL, lastChangeMs: NOON - 100 * HOUR, changeGapsMs: Array(6).fill(HOUR) };
const ERROR = { code: 'DnsError', message: 'No such host.' };
const FAILED: SourceHealth = { ...WELL, failures: 3, error: ERROR };

type Checked = Extract<WatchEvent, { readonly is: 'checked' }>;

/** What is logged when a check leads from one health to the other, without what is only said in detail. */
function said(before: SourceHealth, after: SourceHealth, more: Partial<Checked> = {}): string[] {
  const config = { id: 'a', kind: 'site', url: 'https://a.example/' } as const;
  const source: WatchedSource = { config, origin: 'api', addedAtMs: 0, health: after };
  const { fallback } = after;
  const outcome: Checked['outcome'] =
    after.error === undefined
      ? { is: 'read', changes: 0, notes: [], ...(fallback !== undefined && { fallback }) }
      : { is: 'failed', error: after.error, changes: 0 };
  const check = { source: 'a', atMs: NOON, tookMs: 5, outcome: 'ok', changes: 0 } as const;
  const lines: string[] = [];
  const take = (level: string) => (_: object, message: string) => void lines.push(`${level} ${message}`);
  const logger = { debug: () => {}, info: take('info'), warn: take('warn'), error: take('error') };
  const metrics: HubMetrics = {
    route: () => ({ answered() {} }),
    checked() {},
    changed() {},
    watch() {},
    watchStreams() {},
    watchWebhooks() {},
    watchAlerts() {},
  };
  reportEvent({ is: 'checked', source, before, outcome, check, newNotes: [], ...more }, logger, metrics);
  return lines;
}

test('that all is as before is not said', () => {
  expect(said(WELL, WELL)).toEqual([]);
  expect(said({ ...WELL, fallback: 0 }, { ...WELL, fallback: 0 })).toEqual([]);
  expect(said(QUIET, QUIET)).toEqual([]);
});

test('a failure is said each time, a recovery once', () => {
  expect(said(WELL, FAILED)).toEqual(['warn Check failed: No such host.']);
  expect(said(FAILED, FAILED)).toEqual(['warn Check failed: No such host.']);
  expect(said(FAILED, WELL)).toEqual(['info Read again after 3 failures']);
  expect(said({ ...FAILED, failures: 1 }, WELL)).toEqual(['info Read again after 1 failure']);
});

test('a fallback is said when it begins, when it is another, and when it ends', () => {
  expect(said(WELL, { ...WELL, fallback: 0 })).toEqual(['warn Read by a fallback']);
  expect(said({ ...WELL, fallback: 0 }, { ...WELL, fallback: 1 })).toEqual(['warn Read by a fallback']);
  expect(said({ ...WELL, fallback: 0 }, WELL)).toEqual(['info Read itself again']);
});

test('a source becomes quiet and is not any more', () => {
  expect(said(WELL, QUIET)).toEqual(['warn Quieter than its rhythm']);
  expect(said(QUIET, WELL)).toEqual(['info No longer quiet']);
});

test('only notes that are new are said', () => {
  const outcome: Checked['outcome'] = { is: 'read', changes: 0, notes: ['old', 'new'] };
  expect(said(WELL, WELL, { outcome, newNotes: ['new'] })).toEqual(['warn new']);
});
