import type { Dialect } from '../dialect.ts';

/** The log of a site as pages that people read. */
export const HTML: Dialect = {
  name: 'html',
  projection: async () => (await import('./publish/projection.ts')).HTML_PROJECTION,
};
