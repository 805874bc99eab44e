import { expect, test } from 'vitest';
import { siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { DEFAULT_ALERTS } from '../config/alert-settings.ts';
import type { Alert } from './alert.ts';
import { AlertBoard } from './alert-board.ts';
import { ALERT_RULES, type HubSigns } from './alert-rules.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

/** A board that takes all that it finds for told. */
function boardAt(open: readonly Alert[] = []) {
  const board = new AlertBoard(ALERT_RULES, DEFAULT_ALERTS, open);
  let told = 0;
  const look = (signs: Partial<HubSigns>, nowMs = NOON): string[] => {
    const { raised, cleared } = board.look({ ...QUIET, nowMs, ...signs });
    for (const alert of cleared) board.end(alert);
    for (const alert of raised) board.tell({ ...alert, id: `alert${++told}` });
    return [
      ...raised.map(({ kind, subject }) => `raised ${kind} ${subject}`),
      ...cleared.map(({ kind, subject }) => `cleared ${kind} ${subject}`),
    ];
  };
  return { board, look };
}

const QUIET: HubSigns = {
  nowMs: NOON,
  sources: [],
  clockDoubt: undefined,
  lost: undefined,
  unwritable: undefined,
  lags: [],
  storage: 'unknown',
  subscribers: 'unknown',
  terms: [],
};

const failing = (id: string, failures: number, message = 'It answers 503.') => {
  const source = watchedSource(siteConfig(id));
  const error = { code: 'PageStatusError', message };
  return { ...source, health: { ...source.health, failures, staleSinceMs: NOON - MINUTE, error } };
};

test('what comes and goes is told when it has stayed, and over when it has been over', () => {
  const { look } = boardAt();
  const bad = { sources: [failing('a', 3)] };
  expect(look(bad)).toEqual([]);
  expect(look({}, NOON + 30_000), 'it was too short').toEqual([]);
  expect(look(bad, NOON + MINUTE)).toEqual([]);
  expect(look(bad, NOON + 2 * MINUTE)).toEqual(['raised source.broken a']);
  expect(look(bad, NOON + 60 * MINUTE), 'once').toEqual([]);
  // It flaps: nothing is said of that.
  for (let at = 61; at < 100; at++) expect(look(at % 3 === 0 ? {} : bad, NOON + at * MINUTE)).toEqual([]);
  expect(look({}, NOON + 100 * MINUTE)).toEqual([]);
  expect(look({}, NOON + 105 * MINUTE)).toEqual(['cleared source.broken a']);
  expect(look({}, NOON + 200 * MINUTE)).toEqual([]);
});

test('too few failures, a pause, and a clock that is set back are nothing', () => {
  const { look } = boardAt();
  const paused = { ...failing('b', 9), paused: 'by the operator' };
  for (const nowMs of [NOON, NOON + MINUTE, NOON + 5 * MINUTE]) {
    expect(look({ sources: [failing('a', 2), paused] }, nowMs)).toEqual([]);
  }
  const bad = { sources: [failing('a', 3)] };
  expect(look(bad, NOON + 10 * MINUTE)).toEqual([]);
  expect(look(bad, NOON - 86_400_000)).toEqual([]);
  expect(look(bad, NOON - 86_400_000 + MINUTE)).toEqual(['raised source.broken a']);
});

test('what is not known begins and ends nothing; what was open before a restart is not told again', () => {
  const { board, look } = boardAt();
  const behind = { id: 'sub_1', host: 'x.example', waiting: 7, behindSinceMs: NOON - 3600_000 };
  look({ subscribers: [behind] });
  expect(look({ subscribers: [behind] }, NOON + MINUTE)).toEqual(['raised subscriber.behind sub_1']);
  const again = boardAt(board.open()).look;
  for (let at = 0; at < 20; at++) expect(again({ subscribers: 'unknown' }, NOON + at * MINUTE)).toEqual([]);
  expect(again({ subscribers: [behind] }, NOON + 30 * MINUTE)).toEqual([]);
  expect(again({ subscribers: [{ ...behind, disabled: 'It said 410.' }] }, NOON + 31 * MINUTE)).toEqual([
    'raised subscriber.disabled sub_1',
  ]);
  expect(again({ subscribers: [] }, NOON + 36 * MINUTE)).toEqual([
    'cleared subscriber.behind sub_1',
    'cleared subscriber.disabled sub_1',
  ]);
});

test('a disk fills by days or by room, and has to have twice as much to be over', () => {
  const { look } = boardAt();
  const full = (days: number, megabytes = 10_000) => ({
    storage: {
      bytes: 1,
      free_bytes: megabytes * 1024 * 1024,
      full_at: new Date(NOON + days * 86_400_000).toISOString(),
    },
  });
  look(full(6));
  expect(look(full(6), NOON + MINUTE)).toEqual(['raised disk.filling hub']);
  for (const days of [8, 13]) expect(look(full(days), NOON + 2 * MINUTE)).toEqual([]);
  look(full(20), NOON + 3 * MINUTE);
  expect(look(full(20), NOON + 9 * MINUTE)).toEqual(['cleared disk.filling hub']);
  look(full(1000, 499), NOON + 20 * MINUTE);
  expect(look(full(1000, 499), NOON + 21 * MINUTE)).toEqual(['raised disk.filling hub']);
});

test('a store that refuses is told, unless its folder is lost, which is told at once', () => {
  const { look } = boardAt();
  look({ unwritable: 'full' });
  expect(look({ unwritable: 'full' }, NOON + MINUTE)).toEqual(['raised store.unwritable hub']);
  expect(boardAt().look({ unwritable: 'gone', lost: 'It was replaced.' })).toEqual(['raised data.lost hub']);
});

test('many that fail at once are bounded, and texts from outside are one line', () => {
  const { board, look } = boardAt();
  const sources = Array.from({ length: 2000 }, (_, at) => failing(`s${at}`, 3, 'a\r\nb\u202e\u0000c'.repeat(1000)));
  look({ sources });
  expect(look({ sources }, NOON + MINUTE)).toHaveLength(501);
  for (const { summary } of board.open()) expect(summary).toMatch(/^[^\p{Cc}\p{Cf}]{1,500}$/u);
  expect(board.count()).toEqual({ 'source.broken': 501 });
});
