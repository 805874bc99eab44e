import type { Dialect } from '../dialect.ts';

export const AIDOCUMENT: Dialect = {
  name: 'aiwebindex',
  clauses: async () => (await import('../../codecs/aidocument/clauses.ts')).AIWEBINDEX_CLAUSES,
  checker: async () => (await import('./check/checker.ts')).AIDOCUMENT_CHECKER,
};
