import { test } from 'vitest';

/**
 * A test that shows one clause (or several) of a specification.
 *
 * `test/clauses.test.ts` finds these calls by their text, so the ids stand as literals.
 *
 * @example
 * clause('AICF-E3', 'ids sort in feed order', () => { … });
 */
export function clause(ids: string | readonly string[], behaviour: string, run: () => void | Promise<void>): void {
  test(`[${[ids].flat().join(' ')}] ${behaviour}`, run);
}
