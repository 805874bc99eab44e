import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editsOf } from '../../diff/edits.ts';
import { type Hunk, hunksOf } from './hunks.ts';

const TEXT = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);

function edited(places: Readonly<Record<number, string | undefined>>): string[] {
  return TEXT.flatMap((line, index) => (index + 1 in places ? (places[index + 1] ?? []) : line));
}

test('an edit has three lines around it; two that are close share them', () => {
  const after = edited({ 5: 'other', 12: 'also', 20: undefined });
  const [first, second, ...rest] = hunksOf(editsOf(TEXT, after), { before: TEXT, after });
  expect(rest).toEqual([]);
  expect(first).toEqual({
    beforeStart: 2,
    beforeLines: 14,
    afterStart: 2,
    afterLines: 14,
    lines: [
      ...[' line 2', ' line 3', ' line 4', '-line 5', '+other', ' line 6', ' line 7', ' line 8', ' line 9', ' line 10'],
      ...[' line 11', '-line 12', '+also', ' line 13', ' line 14', ' line 15'],
    ],
  });
  expect(second).toMatchObject({ beforeStart: 17, beforeLines: 4, afterStart: 17, afterLines: 3 });
});

test('within a span there are only its own edits and its own lines', () => {
  const after = edited({ 5: 'other', 9: undefined, 10: 'heading', 12: 'also' });
  const edits = editsOf(TEXT, after);
  const hunks = hunksOf(edits, { before: TEXT, after }, { start: 8, end: 12 });
  expect(hunks.map(({ lines }) => lines)).toEqual([
    ['-line 9', '-line 10', '+heading', ' line 11', '-line 12', '+also', ' line 13'],
  ]);
  expect(hunksOf(edits, { before: TEXT, after }, { start: 14, end: 18 })).toEqual([]);
});

test('what is deleted at the border of two spans belongs to the first', () => {
  const after = edited({ 9: undefined, 10: undefined });
  const edits = editsOf(TEXT, after);
  expect(hunksOf(edits, { before: TEXT, after }, { start: 4, end: 8 })).toMatchObject([
    { lines: [' line 6', ' line 7', ' line 8', '-line 9', '-line 10'] },
  ]);
  expect(hunksOf(edits, { before: TEXT, after }, { start: 8, end: 12 })).toEqual([]);
});

test('hunks patch the text before into the text after', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 40 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      expect(patched(before, hunksOf(editsOf(before, after), { before, after }))).toEqual(after);
    }),
  );
});

/** As `patch` does it: by the numbers in the heads, and every context line must be there. */
function patched(before: readonly string[], hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let line = 0;
  for (const hunk of hunks) {
    const start = hunk.beforeLines === 0 ? hunk.beforeStart : hunk.beforeStart - 1;
    lines.push(...before.slice(line, start));
    line = start;
    expect(lines.length).toBe(hunk.afterLines === 0 ? hunk.afterStart : hunk.afterStart - 1);
    const kept = hunk.lines.filter((text) => !text.startsWith('+')).map((text) => text.slice(1));
    expect(before.slice(line, line + hunk.beforeLines)).toEqual(kept);
    const come = hunk.lines.filter((text) => !text.startsWith('-')).map((text) => text.slice(1));
    expect(come).toHaveLength(hunk.afterLines);
    lines.push(...come);
    line += hunk.beforeLines;
  }
  return [...lines, ...before.slice(line)];
}
