import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupUnits, type Unit } from './group-units.ts';

const SIZES = { target: 40, most: Number.POSITIVE_INFINITY };
const REACH = SIZES.target / 2;
const unitsOf = (sizes: readonly number[]): readonly Unit[] =>
  sizes.map((tokens, at) => ({ text: `${at} of ${tokens}`, tokens }));
const sizeOf = (units: readonly Unit[]) => units.reduce((sum, { tokens }) => sum + tokens, 0);

/** The units that begin a group. */
const begins = (units: readonly Unit[]) => groupUnits(units, SIZES).map(([first]) => first);

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 80 });

test('an edit moves no border that is further away than half of a group', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), fc.integer({ min: 1, max: 30 }), (all, where, tokens) => {
      const before = unitsOf(all);
      const edited = where % before.length;
      const after = before.toSpliced(edited, 1, { text: 'edited', tokens });
      const [was, is] = [new Set(begins(before)), new Set(begins(after))];
      for (const [at, unit] of before.entries()) {
        const between = at < edited ? before.slice(at, edited) : before.slice(edited + 1, at);
        if (at !== edited && sizeOf(between) >= REACH) expect(is.has(unit), unit.text).toBe(was.has(unit));
      }
    }),
  );
});

test('all units are there in their order, and no group is small but one that is alone', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const units = unitsOf(all);
      const groups = groupUnits(units, SIZES);
      expect(groups.flat()).toEqual(units);
      if (groups.length > 1) for (const group of groups) expect(sizeOf(group)).toBeGreaterThanOrEqual(REACH);
    }),
  );
});

test('no group is larger than the most, unless it is one unit', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const groups = groupUnits(unitsOf(all), { target: 40, most: 45 });
      expect(groups.flat()).toEqual(unitsOf(all));
      for (const group of groups) expect(group.length === 1 || sizeOf(group) <= 45).toBe(true);
    }),
  );
});
