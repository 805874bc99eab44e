import { expect } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { isHierarchyOk, readingTimeOf } from './signals.ts';

clause('AWI-SG4', 'headings are in order from an h1 or h2, one level deeper at a time', () => {
  for (const [levels, ok] of [
    [[1, 2, 3], true],
    [[2, 3], true],
    [[1, 2, 3, 1], true],
    [[1, 1], true],
    [[], false],
    [[3], false],
    [[1, 3], false],
    [[1, 2, 1, 3], false],
  ] as [number[], boolean][]) {
    expect(isHierarchyOk(levels)).toBe(ok);
  }
});

clause('AWI-SG2', 'reading takes whole minutes', () => {
  for (const [words, minutes] of [
    [0, 0],
    [1, 1],
    [374, 1],
    [375, 2],
    [1240, 5],
  ] as [number, number][]) {
    expect(readingTimeOf(words)).toBe(minutes);
  }
});
