import type { Dialect } from '../dialect.ts';

export const DIFFDELTA: Dialect = {
  name: 'diffdelta',
  clauses: async () => (await import('../../codecs/diffdelta/clauses.ts')).DIFFDELTA_CLAUSES,
};
