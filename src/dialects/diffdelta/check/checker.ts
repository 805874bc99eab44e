import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import type { Checker } from '../../checker.ts';
import { hasDocument } from '../../document-source.ts';
import { DIFFDELTA_HINTS } from './diffdelta-hints.ts';
import { diffDeltaTarget, isFeedUrl } from './diffdelta-places.ts';
import { checkDiffDelta } from './gather-diffdelta.ts';

export const DIFFDELTA_CHECKER: Checker = {
  hints: DIFFDELTA_HINTS,
  traces: { wellKnown: DIFFDELTA_DISCOVERY_PATH, beside: ['/diff/head.json'] },

  /** In a folder, a feed is enough. A live service has a manifest, at its host or below the path that was named. */
  async holds(source) {
    if (source.url === undefined) return await hasDocument(source, [DIFFDELTA_DISCOVERY_PATH, '/diff/latest.json']);
    const below = new URL(DIFFDELTA_DISCOVERY_PATH.slice(1), diffDeltaTarget(source.url).root).pathname;
    return await hasDocument(source, [...new Set([DIFFDELTA_DISCOVERY_PATH, below])]);
  },

  names: (url) => diffDeltaTarget(url).manifest !== undefined || isFeedUrl(url),

  check: checkDiffDelta,
};
