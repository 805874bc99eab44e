import { DIFFDELTA_DISCOVERY_PATH } from '../../codecs/diffdelta/wire.ts';
import type { Dialect } from '../dialect.ts';

export const DIFFDELTA: Dialect = {
  name: 'diffdelta',
  wellKnown: DIFFDELTA_DISCOVERY_PATH,
  auditor: async () => (await import('./audit/auditor.ts')).DIFFDELTA_AUDITOR,
  reader: async () => (await import('./read/diffdelta-reader.ts')).DIFFDELTA_READER,
  clauses: async () => (await import('../../codecs/diffdelta/clauses.ts')).DIFFDELTA_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).DIFFDELTA_PROJECTION,
  shelf: async () => (await import('./shelf/shelf.ts')).DIFFDELTA_SHELF,
  hasArchives: true,
  checker: async () => (await import('./check/checker.ts')).DIFFDELTA_CHECKER,
};
