import type { Dialect } from '../dialect.ts';

export const RESOURCESYNC: Dialect = {
  name: 'resourcesync',
  clauses: async () => (await import('../../codecs/resourcesync/clauses.ts')).RESOURCESYNC_CLAUSES,
};
