import { expect, test } from 'vitest';
import { sectionLines } from './section-lines.ts';

const PAGE = `Before all headings.

# Limits

## [Tiers](/tiers) & \\*more\\*

Two.

\`\`\`sh
# no heading
\`\`\`

## Tiers

Again.`.split('\n');

test('a section is found by the names of all sections, in order', () => {
  const anchors = ['limits', 'anything-1', 'anything-2'];
  expect(sectionLines(PAGE, 'anything-1', anchors)).toEqual({ start: 4, end: 12 });
  expect(sectionLines(PAGE, 'anything-2', anchors)).toEqual({ start: 12, end: 15 });
  expect(sectionLines(PAGE, 'gone', anchors)).toBeUndefined();
});

test('without them, or where they are of another version, by its words, if one heading alone has them', () => {
  expect(sectionLines(PAGE, 'tiers-more')).toEqual({ start: 4, end: 12 });
  expect(sectionLines(PAGE, 'limits', ['limits'])).toEqual({ start: 2, end: 4 });
  expect(sectionLines(PAGE, 'pricing-tiers')).toEqual({ start: 12, end: 15 });
  expect(sectionLines([...PAGE, '## Tiers'], 'tiers')).toBeUndefined();
  expect(sectionLines(PAGE, 'id7')).toBeUndefined();
});
