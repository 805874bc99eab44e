import { readIfThere } from '../../../log/read-if-there.ts';
import { runsOf } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import type { Place } from '../../../model/folder.ts';
import type { Projected } from '../../projection.ts';
import { type ChainStatus, extendChain, restateChain } from './diffdelta-chain.ts';
import { diffDeltaFiles, HEALTHZ_PATH, isMadeHealthz } from './diffdelta-files.ts';
import { runMakers, type SiteOptions, siteFactsOf } from './diffdelta-runs.ts';
import type { SiteChains } from './feed-chain.ts';
import { splitRuns } from './split-runs.ts';

export interface DiffDeltaOptions extends SiteOptions {
  /** Whether this publish could read any page. */
  readonly isRead: boolean;
  readonly nowMs: number;
  /** May hold archives of a publish that was cut off. */
  readonly out: Place;
}

/**
 * A site's log as DiffDelta: one source, with an archive of each run. Runs that are already published are not made again.
 *
 * `changes` is the whole log.
 */
export async function publishDiffDelta(
  before: SiteChains,
  changes: readonly Change[],
  { isRead, nowMs, out, ...options }: DiffDeltaOptions,
): Promise<Projected> {
  const status: ChainStatus = { ...siteFactsOf(options), isRead, nowMs };
  const { own: ownBefore, global: globalBefore } = before;
  const longer = ownBefore.archives.length < globalBefore.archives.length ? globalBefore : ownBefore;
  const runs = splitRuns(runsOf(changes), longer.archives, options);
  const published = Math.min(before.own.archives.length, before.global.archives.length);
  const makers = runMakers(runs, published, status);
  const extended = await extendChain(before.own, runs, { out, make: makers.own });
  const own = restateChain(extended, status);
  const make = makers.global(extended.archives);
  const global = restateChain(await extendChain(before.global, runs, { out, make }), status);
  const there = await readIfThere(out, HEALTHZ_PATH);
  const hasOwnHealthz = there !== undefined && !isMadeHealthz(there);
  return diffDeltaFiles({ own, global }, { ...status, site: options.site, hasOwnHealthz });
}
