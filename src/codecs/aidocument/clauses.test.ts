import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findGaps, readConformance } from '../../../scripts/conformance.mjs';
import { clause } from '../../../test/clause.ts';
import { AIWEBINDEX_CLAUSES } from './clauses.ts';

clause('AWI-CO1', 'every MUST, also beyond sections 3 to 5, is shown by a test', () => {
  const conformance = readConformance('.');
  const gaps = findGaps(conformance).filter((gap) => gap.startsWith('AWI-') && gap.includes('MUST'));
  expect(conformance.clauses.filter(({ id }) => id.startsWith('AWI-')).length).toBe(AIWEBINDEX_CLAUSES.length);
  expect(gaps).toEqual([]);
});

test('the table holds every clause of the specification', () => {
  const rows = readFileSync(new URL('../../../specs/aiwebindex/clauses.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(AIWEBINDEX_CLAUSES.map(({ id, text }) => [id, text])).toEqual(
    rows
      .slice(1)
      .map((row) => row.split('\t'))
      .map(([id, , , , text]) => [id, text]),
  );
  expect(AIWEBINDEX_CLAUSES.length).toBe(93);
});
