import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decodeMultibase } from './multibase.ts';

const YES = new TextEncoder().encode('yes mani !');

clause(['AF-K2', 'AF-ID7'], 'reads the same bytes in every base that its prefix names', () => {
  // The texts of the multibase specification's own test data.
  for (const text of [
    'f796573206d616e692021',
    'F796573206D616E692021',
    'vf5in683dc5n6i811',
    'VF5IN683DC5N6I811',
    'bpfsxgidnmfxgsibb',
    'BPFSXGIDNMFXGSIBB',
    'cpfsxgidnmfxgsibb',
    'CPFSXGIDNMFXGSIBB',
    'z7paNL19xttacUY',
    'meWVzIG1hbmkgIQ',
    'MeWVzIG1hbmkgIQ==',
    'ueWVzIG1hbmkgIQ',
    'UeWVzIG1hbmkgIQ==',
  ]) {
    expect(decodeMultibase(text), text).toEqual(YES);
  }
  expect(decodeMultibase('z1117paNL19xttacUY')).toEqual(Uint8Array.from([0, 0, 0, ...YES]));
});

clause('AF-K2', 'says why it cannot read a text', () => {
  expect(decodeMultibase('')).toBe('it is empty');
  expect(decodeMultibase('x1234')).toBe('its multibase prefix "x" is not known');
  expect(decodeMultibase('d75a980182b10ab7')).toContain('prefix "d" is not known');
  expect(decodeMultibase(`z${'2'.repeat(5000)}`)).toContain('more than 1024 characters');
});

test.each([
  ['a digit that is not of the base', 'fxyz0'],
  ['upper case in lower-case hexadecimal', 'fAB'],
  ['half a byte', 'fabc'],
  ['a 0 in base58', 'z0'],
  ['an l in base58', 'zl'],
  ['padding where there is none', 'meWVzIG1hbmkgIQ=='],
  ['no padding where there must be some', 'MeWVzIG1hbmkgIQ'],
  ['too much padding', 'MeWVzIG1hbmkgIQ===='],
  ['the alphabet of base64url in base64', 'm_-_-'],
  ['the alphabet of base64 in base64url', 'u+/+/'],
  ['left-over bits in base32', 'baf'],
  ['left-over bits in base64', 'mAB'],
  ['white space', 'u eWVz'],
])('refuses %s', (_, text) => {
  expect(decodeMultibase(text)).toContain('does not follow the encoding');
});

test.each([
  ['k2lcpzo5yikidynfl', ''],
  ['K2LCPZO5YIKIDYNFL', ''],
  ['k02lcpzo5yikidynfl', '\0'],
  ['Z7Pznk19XTTzBtx', ''],
  ['z17paNL19xttacUY', '\0'],
])('reads %s as one large number', (text, zeros) => {
  expect(decodeMultibase(text)).toEqual(Uint8Array.from(Buffer.from(`${zeros}yes mani !`)));
});

test('a key survives hexadecimal, base64url and base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const node = Buffer.from(bytes);
      expect(decodeMultibase(`f${node.toString('hex')}`)).toEqual(bytes);
      expect(decodeMultibase(`u${node.toString('base64url')}`)).toEqual(bytes);
      expect(decodeMultibase(`M${node.toString('base64')}`)).toEqual(bytes);
    }),
  );
});
