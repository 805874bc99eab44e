import type { Dialect } from '../dialect.ts';

/** The provable log: the changes of a site or a hub as a transparency log. Spec: https://c2sp.org/tlog-tiles */
export const TLOG: Dialect = {
  name: 'tlog',
  projection: async () => (await import('./publish/projection.ts')).TLOG_PROJECTION,
};
