import { AICF_DISCOVERY_PATH } from '../../codecs/aicf/wire.ts';
import type { Dialect } from '../dialect.ts';
import { aicfFeedPath } from './publish/feed-path.ts';

export const AICF: Dialect = {
  name: 'aicf',
  wellKnown: AICF_DISCOVERY_PATH,
  topics: (has) => {
    let number = 1;
    while (has(aicfFeedPath(number + 1))) number += 1;
    return [aicfFeedPath(number)].filter(has);
  },
  auditor: async () => (await import('./audit/auditor.ts')).AICF_AUDITOR,
  reader: async () => (await import('./read/aicf-reader.ts')).AICF_READER,
  clauses: async () => (await import('../../codecs/aicf/clauses.ts')).AICF_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).AICF_PROJECTION,
  shelf: async () => (await import('./shelf/shelf.ts')).AICF_SHELF,
  checker: async () => (await import('./check/checker.ts')).AICF_CHECKER,
};
