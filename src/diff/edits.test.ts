import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../test/support/count-steps.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { type Edit, editsOf, searchBudget } from './edits.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });
const limits = fc.constantFrom(0, 1, 3, 400).map((most) => searchBudget(most));

test('the edits turn the one text into the other, and back', () => {
  fc.assert(
    fc.property(words, words, limits, (before, after, maxEdits) => {
      const edits = editsOf(before, after, maxEdits);
      expect(applied(edits, before, after)).toEqual(after);
      const back = edits.map(({ from, to, at, until }) => ({ from: at, to: until, at: from, until: to }));
      expect(applied(back, after, before)).toEqual(before);
    }),
  );
});

test('edits are in order, apart from each other, and never empty; the same text has none', () => {
  fc.assert(
    fc.property(words, words, limits, (before, after, maxEdits) => {
      let last: Edit | undefined;
      for (const edit of editsOf(before, after, maxEdits)) {
        expect(edit.to - edit.from + edit.until - edit.at).toBeGreaterThan(0);
        // What lies between two edits is the same on both sides, and is something.
        if (last !== undefined) expect(edit.from - last.to).toBeGreaterThan(0);
        expect(edit.from - (last?.to ?? 0)).toBe(edit.at - (last?.until ?? 0));
        last = edit;
      }
      expect(editsOf(before, [...before], maxEdits)).toEqual([]);
    }),
  );
});

test('while they are few, no other edits touch fewer lines', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      expect(linesOf(editsOf(before, after))).toBe(before.length + after.length - 2 * longestCommon(before, after));
    }),
  );
});

test('texts that differ in more lines than are searched for are cut where a line stands once in both', () => {
  const block = (name: string) => Array.from({ length: 300 }, (_, index) => `${name} ${index}`);
  const before = [...block('old one'), '## Limits', ...block('old two')];
  const after = [...block('new one'), '## Limits', ...block('new two')];
  expect(editsOf(before, after)).toEqual([
    { from: 0, to: 300, at: 0, until: 300 },
    { from: 301, to: 601, at: 301, until: 601 },
  ]);
});

const COUNT = shortOrLong(5000, 40_000);
test('large texts that have nothing or everything in common, or the same few lines over and over, take bounded work', async () => {
  const lines = (of: (index: number) => string) => Array.from({ length: COUNT }, (_, index) => of(index));
  expect(
    editsOf(
      lines((index) => `a${index}`),
      lines((index) => `b${index}`),
    ),
  ).toHaveLength(1);
  const before = lines((index) => String(index % 2));
  const after = lines((index) => String(index % 3));
  expect(applied(editsOf(before, after), before, after)).toEqual(after);
  const reversed = lines((index) => `a${COUNT - index}`);
  const straight = lines((index) => `a${index}`);
  expect(applied(editsOf(straight, reversed), straight, reversed)).toEqual(reversed);
  for (const [left, right] of [
    ['a%', 'b%'],
    ['%2', '%3'],
  ] as const) {
    await expectLinear<typeof import('./edits.ts'), [string[], string[]]>(
      new URL('./edits.ts', import.meta.url),
      ({ editsOf }, [before, after]) => editsOf(before, after),
      (count) => [countedLines(left, count), countedLines(right, count)],
      2000,
    );
  }
});

test('many pieces that differ share one budget, and what is too large to be cut is one edit', () => {
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => (index % 100 === 0 ? `common ${index}` : `${name} ${index}`));
  const budget = searchBudget();
  const edits = editsOf(lines('old', 20_000), lines('new', 20_000), budget);
  expect(edits).toHaveLength(200);
  expect(budget.left).toBeLessThan(searchBudget().left);
  expect(budget.left).toBeGreaterThan(-1);
  const scattered = lines('old', 40_000).map((line, index) => (index % 250 === 9 ? 'other' : line));
  expect(editsOf(lines('old', 40_000), scattered)).toHaveLength(160);
  expect(editsOf(lines('old', 40_000), lines('new', 40_000))).toEqual([{ from: 1, to: 40_000, at: 1, until: 40_000 }]);
});

function countedLines(pattern: string, count: number): string[] {
  const [prefix, period] = pattern.split('%');
  return Array.from({ length: count }, (_, at) => `${prefix}${period ? at % Number(period) : at}`);
}

function applied(edits: readonly Edit[], before: readonly string[], after: readonly string[]): string[] {
  const lines: string[] = [];
  let line = 0;
  for (const { from, to, at, until } of edits) {
    lines.push(...before.slice(line, from), ...after.slice(at, until));
    line = to;
  }
  for (const rest of before.slice(line)) lines.push(rest);
  return lines;
}

function linesOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { from, to, at, until }) => sum + to - from + until - at, 0);
}

/** The length of the longest common subsequence, by the table of all prefixes. */
function longestCommon(left: readonly string[], right: readonly string[]): number {
  let row = new Array<number>(right.length + 1).fill(0);
  for (const line of left) {
    const next = [0];
    for (const [index, other] of right.entries()) {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
