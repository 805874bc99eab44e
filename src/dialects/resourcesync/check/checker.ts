import { WELL_KNOWN_PATH } from '../../../codecs/resourcesync/wire.ts';
import type { Checker } from '../../checker.ts';
import { hasDocument } from '../../document-source.ts';
import { checkAlone, kindOf } from './check-alone.ts';
import { checkResourceSync } from './gather-resourcesync.ts';
import { RESOURCESYNC_HINTS } from './resourcesync-hints.ts';

/** The path that `tidings publish` writes to. */
const CAPABILITY_LIST_PATH = '/resourcesync/capabilitylist.xml';

export const RESOURCESYNC_CHECKER: Checker = {
  hints: RESOURCESYNC_HINTS,
  traces: { wellKnown: WELL_KNOWN_PATH, beside: [CAPABILITY_LIST_PATH] },

  /** A folder may hold the documents of a lost Source Description. A live one may be below the path that was named. */
  async holds(source) {
    if (source.url === undefined) return await hasDocument(source, [WELL_KNOWN_PATH, CAPABILITY_LIST_PATH]);
    const below = new URL(WELL_KNOWN_PATH.slice(1), new URL('.', source.url)).pathname;
    return await hasDocument(source, [...new Set([WELL_KNOWN_PATH, below])]);
  },

  names: ({ pathname }) => pathname.endsWith(WELL_KNOWN_PATH),

  check: checkResourceSync,

  file: { holds: (file) => kindOf(file) !== undefined, check: checkAlone },
};
