import { expect, test } from 'vitest';
import { parseSince } from './since.ts';

const NOW = Date.UTC(2026, 6, 15, 12);

test.each([
  ['30m', Date.UTC(2026, 6, 15, 11, 30)],
  ['12h', Date.UTC(2026, 6, 15)],
  ['7d', Date.UTC(2026, 6, 8, 12)],
  ['2w', Date.UTC(2026, 6, 1, 12)],
  ['0d', NOW],
  ['999999999w', 0],
  ['2026-07-01', Date.UTC(2026, 6, 1)],
  ['2026-07-01T02:00:00+02:00', Date.UTC(2026, 6, 1)],
])('%s is a time', (text, timeMs) => {
  expect(parseSince(text, NOW)).toEqual({ timeMs });
});

test.each(['7', '7x', '7 d', '-7d', '1.5d', '7D', 'd', '01JABCDEFGHJKMNPQRSTVWXYZ0', 'evt_7d'])('%s is an id', (id) => {
  expect(parseSince(id, NOW)).toEqual({ id });
});

test('what is nothing, or no day, is refused', () => {
  expect(parseSince(undefined, NOW)).toEqual({});
  expect(() => parseSince(' ', NOW)).toThrow('--since is empty');
  expect(() => parseSince('2026-02-30', NOW)).toThrow('no 2026-02-30 in the calendar');
});
