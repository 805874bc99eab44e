import { expect, test } from 'vitest';
import { clippedLines } from './clipped-lines.ts';

const word = 'lorem ipsum '.repeat(200);

test('of two long lines, what differs is shown with a little around it', () => {
  const [gone = '', come = ''] = clippedLines([`-${word}nineteen${word}`, `+${word}twenty-one${word}`]);
  expect(gone).toMatch(/^-….*nineteen.*…$/);
  expect(come).toMatch(/^\+….*twenty-one.*…$/);
  expect(gone.length).toBeLessThan(400);
});

test('short lines stay; long ones without a partner show their beginning; an end that differs is whole', () => {
  expect(clippedLines([' a', '-b', '+c'])).toEqual([' a', '-b', '+c']);
  expect(clippedLines([`+${word}`])[0]).toBe(`+${word.slice(0, 399)}…`);
  expect(clippedLines([`-${word}a`, `+${word}b`]).map((line) => line.slice(-2))).toEqual([' a', ' b']);
});

test('each line that went belongs to the one in its place', () => {
  const lines = [`-${word}one${word}`, '-x', `+${word}two${word}`, '+y', ' same', `+${word}`];
  const shown = clippedLines(lines);
  expect(shown[0]).toContain('one');
  expect(shown[2]).toContain('two');
  expect([shown[1], shown[3], shown[4]]).toEqual(['-x', '+y', ' same']);
});
