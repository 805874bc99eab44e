import type { Dialect } from '../dialect.ts';

/** The provable log: not one more feed, but what shows that none of the others leaves out or rewrites anything. */
export const TLOG: Dialect = {
  name: 'tlog',
  shelf: async () => (await import('./shelf/shelf.ts')).TLOG_SHELF,
};
