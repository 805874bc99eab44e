import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { AICF_CLAUSES } from './clauses.ts';

test('the clause table is in sync with specs/aicf/clauses.tsv (node scripts/generate-clauses.mjs writes it)', () => {
  const script = fileURLToPath(new URL('../../../scripts/generate-clauses.mjs', import.meta.url));
  expect(() => execFileSync(process.execPath, [script, '--check'])).not.toThrow();
});

test('every clause has an id of its own, a level and a text', () => {
  expect(AICF_CLAUSES.length).toBeGreaterThan(60);
  expect(new Set(AICF_CLAUSES.map(({ id }) => id)).size).toBe(AICF_CLAUSES.length);
  const odd = AICF_CLAUSES.filter(({ level, text }) => !['MUST', 'SHOULD', 'MAY'].includes(level) || text === '');
  expect(odd).toEqual([]);
});
