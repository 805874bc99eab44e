import type { Dialect } from '../dialect.ts';

export const AICF: Dialect = {
  name: 'aicf',
  clauses: async () => (await import('../../codecs/aicf/clauses.ts')).AICF_CLAUSES,
};
