import type { Dialect } from '../dialect.ts';

/** The provable log: the changes of a site or a hub as a transparency log. Spec: https://c2sp.org/tlog-tiles */
export const TLOG: Dialect = {
  name: 'tlog',
  clauses: async () => (await import('../../codecs/tlog/clauses.ts')).TLOG_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).TLOG_PROJECTION,
  shelf: async () => (await import('./shelf/shelf.ts')).TLOG_SHELF,
  checker: async () => (await import('./check/checker.ts')).TLOG_CHECKER,
};
