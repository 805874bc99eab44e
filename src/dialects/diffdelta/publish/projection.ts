import { NOT_WRITTEN, type Projection } from '../../projection.ts';
import { publishDiffDelta } from './diffdelta.ts';
import { loadDiffDelta } from './diffdelta-state.ts';

/** A site's log as DiffDelta. Its archives serve as its memory. */
export const DIFFDELTA_PROJECTION: Projection = {
  async load(places, { changes }, options) {
    if (!options.isChosen || options.dryRun) return NOT_WRITTEN;
    const chains = await loadDiffDelta(places, changes, options);
    return { project: (site) => publishDiffDelta(chains, site.changes, { ...options, ...site }) };
  },
};
