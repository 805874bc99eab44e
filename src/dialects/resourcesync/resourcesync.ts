import { WELL_KNOWN_PATH } from '../../codecs/resourcesync/wire.ts';
import type { Dialect } from '../dialect.ts';

export const RESOURCESYNC: Dialect = {
  name: 'resourcesync',
  wellKnown: WELL_KNOWN_PATH,
  auditor: async () => (await import('./audit/auditor.ts')).RESOURCESYNC_AUDITOR,
  reader: async () => (await import('./read/resourcesync-reader.ts')).RESOURCESYNC_READER,
  clauses: async () => (await import('../../codecs/resourcesync/clauses.ts')).RESOURCESYNC_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).RESOURCESYNC_PROJECTION,
  checker: async () => (await import('./check/checker.ts')).RESOURCESYNC_CHECKER,
};
