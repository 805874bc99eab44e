import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime, parseTime } from '../primitives/time.ts';
import { parseTimeSpan } from './time-span.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['2022', '2022-01-01T00:00:00.000Z', '2022-12-31T23:59:59.999Z'],
  ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ['2022-12', '2022-12-01T00:00:00.000Z', '2022-12-31T23:59:59.999Z'],
  ['2022-11-06', '2022-11-06T00:00:00.000Z', '2022-11-06T23:59:59.999Z'],
  ['2022-11-06+02:00', '2022-11-05T22:00:00.000Z', '2022-11-06T21:59:59.999Z'],
  ['2022-11-06T10:30Z', '2022-11-06T10:30:00.000Z', '2022-11-06T10:30:59.999Z'],
  ['2022-11-06T10:30', '2022-11-06T10:30:00.000Z', '2022-11-06T10:30:59.999Z'],
  ['2022-11-06T10:30:15Z', '2022-11-06T10:30:15.000Z', '2022-11-06T10:30:15.999Z'],
  ['2022-11-06T10:30:15', '2022-11-06T10:30:15.000Z', '2022-11-06T10:30:15.999Z'],
  ['2022-11-06 10:30:15', '2022-11-06T10:30:15.000Z', '2022-11-06T10:30:15.999Z'],
  ['2022-11-06T10:30:15.5Z', '2022-11-06T10:30:15.500Z', '2022-11-06T10:30:15.500Z'],
  ['2022-11-06T10:30:15.123456789', '2022-11-06T10:30:15.123Z', '2022-11-06T10:30:15.123Z'],
  ['2022-11-06T10:30:15+05:30', '2022-11-06T05:00:15.000Z', '2022-11-06T05:00:15.999Z'],
  ['2022-11-06T10:30-0800', '2022-11-06T18:30:00.000Z', '2022-11-06T18:30:59.999Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z', '2017-01-01T00:00:00.999Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.999Z'],
])('[RS-L5] %s is a time, as wide as it is written', (text, start, end) => {
  expect(parseTimeSpan(text)).toEqual({ startMs: at(start), endMs: at(end), text });
});

test.each([
  '',
  'yesterday',
  '22-11-06',
  '2022-13',
  '2022-00-01',
  '2023-02-29',
  '2023-02-29T00:00:00Z',
  '2022-11-31T00:00:00Z',
  '2022-11-06T24:00:00Z',
  '2022-11-06T10:60:00Z',
  '2022-11-06T10:00:60Z',
  '2022-11-06T10:00:00+25:00',
  '2022-11-06T',
  '2022-11-06T10',
  '1667728800',
  'Sun, 06 Nov 2022 10:00:00 GMT',
  `2022-11-06T10:00:00.${'0'.repeat(100)}Z`,
])('"%s" is no time', (text) => {
  expect(parseTimeSpan(text)).toBeUndefined();
});

describe('the short way', () => {
  test('reads every second as the long one does', () => {
    const seconds = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });
    fc.assert(
      fc.property(seconds, (second) => {
        const text = formatTime(second * 1000);
        expect(parseTimeSpan(text)?.startMs).toBe(parseTime(text));
        expect(parseTimeSpan(text)?.startMs).toBe(second * 1000);
      }),
    );
  });

  test('takes no more than the long one', () => {
    const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(two, two, two, two, two, two, (year, month, day, hour, minute, second) => {
        const text = `20${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
        expect(parseTimeSpan(text)?.startMs).toBe(parseTime(text));
      }),
      { numRuns: 500 },
    );
  });
});
