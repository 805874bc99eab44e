import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { isUlid, nextUlid } from './ulid.ts';

const zeros = (size: number) => new Uint8Array(size);
const ones = (size: number) => new Uint8Array(size).fill(255);

test('encodes time and random bytes as the specification does', () => {
  expect(nextUlid(1469918176385, undefined, zeros)).toBe('01ARYZ6S410000000000000000');
  expect(nextUlid(2 ** 48 - 1, undefined, ones)).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  expect(nextUlid(0, undefined, () => Uint8Array.of(0x08, 0x86, 0x42, 0x98, 0xe8, 0x4a, 0x96, 0xc6, 0xb9, 0xf0))).toBe(
    '0000000000123456789ABCDEFG',
  );
});

clause('AICF-E3', 'counts on within a millisecond', () => {
  expect(nextUlid(5, '00000000050000000000000000', ones)).toBe('00000000050000000000000001');
  expect(nextUlid(5, '0000000005000000000000000Z', ones)).toBe('00000000050000000000000010');
});

clause(
  'AICF-E3',
  'carries a full random part into the time and stays ahead of the clock until it has caught up',
  () => {
    const first = nextUlid(5, undefined, ones);
    const second = nextUlid(5, first, ones);
    expect(second).toBe('00000000060000000000000000');
    expect(nextUlid(6, second, ones)).toBe('00000000060000000000000001');
    expect(nextUlid(7, second, ones) > second).toBe(true);
  },
);

clause(
  ['AICF-E2', 'AICF-E3'],
  'ids strictly rise over any clock, also over restarts that know only the last id',
  () => {
    const clock = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 ** 47 })), {
      minLength: 2,
      maxLength: 60,
    });
    const bytes = fc.oneof(fc.constant(255), fc.constant(0), fc.nat(255));
    fc.assert(
      fc.property(clock, fc.infiniteStream(bytes), (times, stream) => {
        const random = (size: number) => Uint8Array.from({ length: size }, () => stream.next().value);
        let previous: string | undefined;
        for (const now of times) {
          const id = nextUlid(now, previous, random);
          expect(isUlid(id)).toBe(true);
          if (previous !== undefined) expect(id > previous).toBe(true);
          previous = id;
        }
      }),
    );
  },
);

test('refuses what cannot be carried on from', () => {
  expect(() => nextUlid(1, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', zeros)).toThrow('No ULID is left');
  expect(() => nextUlid(1, 'evt-9', zeros)).toThrow('not a ULID');
  for (const time of [-1, Number.NaN, 2 ** 48]) expect(() => nextUlid(time, undefined, zeros)).toThrow('cannot hold');
  expect(() => nextUlid(1, undefined, () => new Uint8Array(9))).toThrow('9 random bytes');
});

test.each([
  '',
  '01ARZ3NDEKTSV4RRFFQ69G5FA',
  '81ARZ3NDEKTSV4RRFFQ69G5FAV',
  '01arz3ndektsv4rrffq69g5fav',
  '01ARZ3NDEKTSV4RRFFQ69G5FAU',
])('"%s" is no ULID', (text) => {
  expect(isUlid(text)).toBe(false);
});
