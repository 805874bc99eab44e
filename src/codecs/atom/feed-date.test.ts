import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFeedDate } from './feed-date.ts';

const FIRST_SECOND = Date.UTC(2002, 8, 7, 0, 0, 1);

test.each([
  'Sat, 07 Sep 2002 00:00:01 GMT',
  'Sat, 7 Sep 2002 00:00:01 +0000',
  'Saturday, 07-Sep-02 00:00:01 GMT',
  'Sat,07 Sep 2002 00:00:01 UT',
  '7 Sep 02 00:00:01 Z',
  'Sat, 07 Sept 2002 00:00:01 UTC',
  '07 September 2002 00:00:01',
  '\n  Sat, 07 Sep 2002  00:00:01\tGMT ',
  'Fri, 06 Sep 2002 20:00:01 EDT',
  'Fri, 06 Sep 2002 19:00:01 EST (Eastern)',
  'Fri, 06 Sep 2002 16:00:01 PST',
  'Sat, 07 Sep 2002 02:00:01 CEST',
  'Sat, 07 Sep 2002 02:00:01 +0200',
  'Sat, 07 Sep 2002 02:00:01 +02:00',
  'Sat, 07 Sep 2002 02:00:01 GMT+2',
  'Sat Sep 07 2002 02:00:01 GMT+0200 (Central European Summer Time)',
  'Sat Sep  7 00:00:01 2002',
  'Sat Sep  7 00:00:01 GMT 2002',
  'September 7, 2002 12:00:01 AM',
  'Sep 7th, 2002 12:00:01 a.m. GMT',
  '2002-09-07T00:00:01Z',
  '2002-09-07T02:00:01+02:00',
  '2002-09-07T02:00:01+0200',
  '2002-09-07T02:00:01+02',
  '2002-09-07t00:00:01.000z',
  '2002-09-07T00:00:01,000Z',
  '2002-09-07 00:00:01',
  '2002-09-07 00:00:01 UTC',
  '2002-09-06 20:00:01 EDT',
  '2002/09/07 00:00:01',
  '2002-9-7T00:00:01',
  '20020907T000001Z',
])('%s is the first second of that day', (text) => {
  expect(readFeedDate(text)).toBe(FIRST_SECOND);
});

test.each([
  ['2002-09-07', Date.UTC(2002, 8, 7)],
  ['2002-09', Date.UTC(2002, 8, 1)],
  ['2002', Date.UTC(2002, 0, 1)],
  ['7 Sep 2002', Date.UTC(2002, 8, 7)],
  ['Sat, 07 Sep 2002', Date.UTC(2002, 8, 7)],
  ['Sep 7, 2002', Date.UTC(2002, 8, 7)],
  ['Sat, 07 Sep 2002 9:05 GMT', Date.UTC(2002, 8, 7, 9, 5)],
  ['Sep 7, 2002 10:05 PM', Date.UTC(2002, 8, 7, 22, 5)],
  ['7 Sep 2002 12:05 PM', Date.UTC(2002, 8, 7, 12, 5)],
  ['Sat, 07 Sep 99 00:00 GMT', Date.UTC(1999, 8, 7)],
  ['2002-09-07T24:00:00Z', Date.UTC(2002, 8, 8)],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ['2002-09-07T00:00:01.250-03:30', Date.UTC(2002, 8, 7, 3, 30, 1, 250)],
  ['Sat, 07 Sep 2002 00:00:01 XYZ', FIRST_SECOND],
  ['2024-02-29T10:00:00.123456789+05:30', Date.UTC(2024, 1, 29, 4, 30, 0, 123)],
])('%s', (text, time) => {
  expect(readFeedDate(text)).toBe(time);
});

test.each([
  '',
  'yesterday',
  'Mon, 01 Jan 0001 00:00:00 +0000',
  '0000-00-00 00:00:00',
  '-0001-11-30T00:00:00+00:00',
  '0001-01-01T00:00:00Z',
  '2002-13-01',
  '2002-02-30T00:00:00Z',
  '32 Sep 2002 00:00:00 GMT',
  '7 Foo 2002 00:00:00 GMT',
  '2002-09-07T25:00:00Z',
  '09/07/2002 10:00',
  '1031356801',
  'Sat, 07 Sep',
  '9'.repeat(101),
])('%s is no date', (text) => {
  expect(readFeedDate(text)).toBeUndefined();
});

test('what dates are printed as is read again', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-02'), max: new Date('2999-01-01'), noInvalidDate: true }), (date) => {
      const second = Math.floor(date.getTime() / 1000) * 1000;
      expect(readFeedDate(date.toISOString())).toBe(date.getTime());
      expect(readFeedDate(date.toUTCString())).toBe(second);
    }),
  );
});

test('any text gives a time or none', () => {
  const pieces = fc.constantFrom('7', '2002', 'Sep', ' ', ':', '-', '+', 'GMT', ',', '0', '(', ')', 'T', 'am', '١');
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 40 }), (text) => {
      const time = readFeedDate(text);
      expect(time === undefined || Number.isFinite(time)).toBe(true);
    }),
  );
});
