import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderChanges } from './order-changes.ts';

const HOUR = 3600_000;
const LENGTHS = [1, HOUR, 6 * HOUR, 24 * HOUR];

/** Entries of a day and the one behind it, to the hour, the quarter of a day or the day. */
const lists = fc
  .array(
    fc.record({
      page: fc.integer({ max: 2, min: 0 }),
      hour: fc.integer({ max: 47, min: 0 }),
      length: fc.constantFrom(...LENGTHS),
    }),
    {
      maxLength: 12,
    },
  )
  .map((entries) =>
    entries.map(({ page, hour, length }, place) => {
      const datetimeMs = Math.floor((hour * HOUR) / length) * length;
      return {
        loc: `https://a.example/${page}${place % 2 === 0 ? '#x' : ''}`,
        datetimeMs,
        endMs: datetimeMs + length - 1,
        place,
      };
    }),
  );

type One = typeof lists extends fc.Arbitrary<(infer T)[]> ? T : never;
const pageOf = ({ loc }: One) => loc.replace('#x', '');
const isApart = (one: One, other: One) => one.endMs < other.datetimeMs || other.endMs < one.datetimeMs;

/** Whether one of a page must stand before another, by the documents or by what is certain of the time. */
function isBefore(one: One, other: One): boolean {
  return isApart(one, other) ? one.endMs < other.datetimeMs : one.place < other.place;
}

test('of a page only what is strictly apart changes places', () => {
  fc.assert(
    fc.property(lists, (told) => {
      const ordered = orderChanges(told);
      expect([...ordered].sort((a, b) => a.place - b.place)).toEqual(told);
      for (const page of new Set(told.map(pageOf))) {
        const own = ordered.filter((one) => pageOf(one) === page);
        const pairs = own.flatMap((one, at) => own.slice(at + 1).map((other) => [one, other] as const));
        for (const [one, other] of pairs) if (isApart(one, other)) expect(isBefore(one, other)).toBe(true);
        // The documents may contradict the times in a circle. Where they do not, every pair is as it must be.
        const wins = own.map((one) => own.filter((other) => other !== one && isBefore(one, other)).length);
        if (new Set(wins).size === own.length)
          for (const [one, other] of pairs) expect(isBefore(one, other)).toBe(true);
        for (const [at, one] of own.slice(1).entries()) {
          const above = own[at];
          if (above !== undefined && !isApart(above, one)) expect(above.place).toBeLessThan(one.place);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('what documents have in order stays, whatever the other pages do', () => {
  const day = { datetimeMs: 0, endMs: 24 * HOUR - 1 };
  const told = [
    { loc: 'https://a.example/1', datetimeMs: 12 * HOUR, endMs: 12 * HOUR },
    { loc: 'https://a.example/1', ...day },
    { loc: 'https://a.example/2', datetimeMs: 10 * HOUR, endMs: 10 * HOUR },
  ] as const;
  expect(orderChanges(told)).toEqual([told[2], told[0], told[1]]);
});

test('a hostile list costs a few looks at each entry', () => {
  const length = 20_000;
  let looks = 0;
  const told = Array.from({ length }, (_, at) => {
    const startMs = (length - at) * 1000;
    return {
      loc: 'https://a.example/',
      get datetimeMs() {
        looks += 1;
        return startMs;
      },
      get endMs() {
        looks += 1;
        return startMs + (at % 3 === 0 ? 24 * HOUR : 0);
      },
    };
  });
  expect(orderChanges(told)).toHaveLength(length);
  // Two sorts, and steps that are as many as there are entries.
  expect(looks / length).toBeLessThan(8 * Math.log2(length));
});
