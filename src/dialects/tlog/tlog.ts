import type { Dialect } from '../dialect.ts';

/** The provable log: not one more feed, but what shows that none of the others leaves out or rewrites anything. */
export const TLOG: Dialect = {
  name: 'tlog',
  clauses: async () => (await import('../../codecs/tlog/clauses.ts')).TLOG_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).TLOG_PROJECTION,
  checker: async () => (await import('./check/checker.ts')).TLOG_CHECKER,
};
