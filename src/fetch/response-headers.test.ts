import { expect, test } from 'vitest';
import { charset, contentRange, maxAgeMs, mediaType, retryAfterMs, validatorsOf } from './response-headers.ts';

const NOW = Date.parse('2025-08-21T12:00:00Z');

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 21 Aug 2025 12:02:00 GMT', 120_000],
  ['Thu, 21 Aug 2025 11:00:00 GMT', 0],
  ['Thursday, 21-Aug-25 12:02:00 GMT', 120_000],
  ['Thu Aug 21 12:02:00 2025', 120_000],
  ['Thu, 21 Aug 2025 12:02:00', 120_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Thu, 21 Aug 2125 12:00:00 GMT', Date.parse('2125-08-21T12:00:00Z') - NOW],
  [' 120 ', 120_000],
  ['99999999999', 99_999_999_999_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['120, 60', undefined],
  ['120s', undefined],
  ['Thu, 99 Zzz 2025 99:99:99 GMT', undefined],
  ['2025-08-21T12:02:00Z', undefined],
  ['', undefined],
])('Retry-After %s is a pause of %s ms', (value, expected) => {
  expect(retryAfterMs({ 'retry-after': value }, NOW)).toBe(expected);
  expect(retryAfterMs({}, NOW)).toBeUndefined();
});

test.each([
  ['max-age=60', 60_000],
  ['public, Max-Age="60"', 60_000],
  ['no-cache, max-age=60', undefined],
  ['no-store', undefined],
  ['s-maxage=60', undefined],
  ['', undefined],
])('Cache-Control "%s" is fresh for %s ms', (value, expected) => {
  expect(maxAgeMs({ 'cache-control': value })).toBe(expected);
});

test('Content-Range names start, end and size', () => {
  expect(contentRange({ 'content-range': 'bytes 10-19/100' })).toEqual({ start: 10, end: 19, size: 100 });
  expect(contentRange({ 'content-range': 'bytes 10-19/*' })).toEqual({ start: 10, end: 19 });
  expect(contentRange({ 'content-range': 'bytes */100' })).toBeUndefined();
  expect(contentRange({})).toBeUndefined();
});

test('a Last-Modified of the same second as the answer is no validator', () => {
  const headers = { 'last-modified': 'Thu, 21 Aug 2025 12:00:00 GMT', etag: 'W/"1"' };
  expect(validatorsOf({ ...headers, date: 'Thu, 21 Aug 2025 12:00:00 GMT' })).toEqual({ etag: 'W/"1"' });
  expect(validatorsOf({ ...headers, date: 'Thu, 21 Aug 2025 12:00:01 GMT' })).toHaveProperty('lastModified');
  expect(validatorsOf({})).toEqual({});
});

test('Content-Type gives type and charset', () => {
  const headers = { 'content-type': 'Text/HTML; charset="ISO-8859-1"' };
  expect(mediaType(headers)).toBe('text/html');
  expect(charset(headers)).toBe('ISO-8859-1');
  expect(mediaType({})).toBeUndefined();
});
