import { expect, test } from 'vitest';
import { isHierarchyOk, readingTimeOf } from './signals.ts';

test.each([
  [[1, 2, 3], true],
  [[2, 3], true],
  [[1, 2, 3, 1], true],
  [[1, 1], true],
  [[], false],
  [[3], false],
  [[1, 3], false],
  [[1, 2, 1, 3], false],
])('[AWI-SG4] the levels %j are in order: %j', (levels, ok) => {
  expect(isHierarchyOk(levels)).toBe(ok);
});

test.each([
  [0, 0],
  [1, 1],
  [374, 1],
  [375, 2],
  [1240, 5],
])('[AWI-SG2] %i words take %i minutes', (words, minutes) => {
  expect(readingTimeOf(words)).toBe(minutes);
});
