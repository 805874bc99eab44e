import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/count-steps.ts';
import type { HttpHeaders } from '../fetch/http-client.ts';
import { cachingHeaders, freshUntilMs, mayStore } from './freshness.ts';

const NOW = Date.UTC(2026, 4, 13, 12, 0, 0);
const MINUTE = 60;
const DAY = 24 * 3600;

test.each<[string, HttpHeaders, number]>([
  ['nothing said', {}, 5 * MINUTE],
  ['max-age', { 'cache-control': 'max-age=90' }, 90],
  ['max-age in quotes, other case', { 'cache-control': 'PUBLIC , Max-Age = "90"' }, 90],
  ['max-age of 0', { 'cache-control': 'max-age=0' }, 0],
  ['max-age beyond measure', { 'cache-control': `max-age=${'9'.repeat(40)}` }, 2 ** 31],
  ['max-age that is no number', { 'cache-control': 'max-age=1h' }, 0],
  ['max-age twice', { 'cache-control': 'max-age=10, max-age=90' }, 10],
  ['max-age before Expires', { 'cache-control': 'max-age=90', expires: httpDate(-DAY) }, 90],
  ['an age on the way', { 'cache-control': 'max-age=90', age: '60' }, 30],
  ['an age beyond the lifetime', { 'cache-control': 'max-age=90', age: '100' }, 0],
  ['an age by its own date', { 'cache-control': 'max-age=90', age: '10', date: httpDate(-80) }, 10],
  ['a date to come', { 'cache-control': 'max-age=90', date: httpDate(80) }, 90],
  ['an age that is none', { 'cache-control': 'max-age=90', age: 'old' }, 90],
  ['no-cache', { 'cache-control': 'max-age=90, no-cache' }, 0],
  ['no-cache for a field', { 'cache-control': 'no-cache="set-cookie, x", max-age=90' }, 0],
  ['a field that is called so', { 'cache-control': 'private="x, no-cache", max-age=90' }, 90],
  ['a directive whose name only ends so', { 'cache-control': 'x-no-cache, x-max-age=9, max-age=90' }, 90],
  ['s-maxage, which is for others', { 'cache-control': 's-maxage=9' }, 5 * MINUTE],
  ['s-maxage beside max-age', { 'cache-control': 's-maxage=9, max-age=90' }, 90],
  ['Expires', { expires: httpDate(120) }, 120],
  ['Expires against its own date', { expires: httpDate(120), date: httpDate(-60) }, 120],
  ['Expires of the past', { expires: httpDate(-1) }, 0],
  ['Expires of 0', { expires: '0' }, 0],
  ['Expires in the form of asctime', { expires: 'Wed May 13 12:02:00 2026' }, 120],
  ['Last-Modified: a tenth', { 'last-modified': httpDate(-100 * MINUTE) }, 10 * MINUTE],
  ['Last-Modified: at least five minutes', { 'last-modified': httpDate(-1) }, 5 * MINUTE],
  ['Last-Modified: at most a day', { 'last-modified': httpDate(-100 * DAY) }, DAY],
  ['Last-Modified to come', { 'last-modified': httpDate(DAY) }, 5 * MINUTE],
  ['nothing said, and old', { age: '4000' }, 5 * MINUTE],
])('freshness by %s', (_, headers, seconds) => {
  expect((freshUntilMs(headers, NOW) - NOW) / 1000).toBe(seconds);
});

test.each<[boolean, HttpHeaders]>([
  [true, {}],
  [true, { 'cache-control': 'private, no-cache, must-revalidate' }],
  [true, { vary: 'accept-encoding, user-agent' }],
  [true, { 'cache-control': 'private="no-store"' }],
  [false, { 'cache-control': 'no-store' }],
  [false, { 'cache-control': 'max-age=90,NO-STORE' }],
  [false, { vary: '*' }],
  [false, { vary: 'accept, *' }],
])('may be stored: %s for %j', (stored, headers) => {
  expect(mayStore(headers)).toBe(stored);
});

test('nothing is kept of headers that say nothing about caching', () => {
  const headers = { 'set-cookie': 'id=1', vary: 'accept', 'cache-control': 'max-age=1', server: 'x' };
  expect(cachingHeaders(headers)).toEqual({ vary: 'accept', 'cache-control': 'max-age=1' });
});

test.each(['a="', 'a=', 'a', '"', '\\"', ', ', '='])(
  'a hostile Cache-Control of %j is read in linear steps',
  async (piece) => {
    freshUntilMs({ 'cache-control': piece.repeat(200_000) }, NOW);
    await expectLinear<typeof import('./freshness.ts'), string>(
      new URL('./freshness.ts', import.meta.url),
      ({ freshUntilMs }, header) => freshUntilMs({ 'cache-control': header }, 0),
      (count) => piece.repeat(count),
      1000,
    );
  },
);

function httpDate(seconds: number): string {
  return new Date(NOW + seconds * 1000).toUTCString();
}
