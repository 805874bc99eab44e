import type { Change } from '../../model/change.ts';
import { sourceIdOf } from '../../model/source.ts';
import type { PrecedingFeed } from '../diffdelta/make-feed.ts';
import { replayRuns } from '../diffdelta/replay-runs.ts';
import { globalRunFeed, runEntry, sourceRunFeed } from '../diffdelta/run-feeds.ts';
import { type Run, runsOf } from '../diffdelta/runs-of.ts';
import type { Place } from '../folder.ts';
import { type ChainStatus, extendChain, restateChain } from './diffdelta-chain.ts';
import { type DiffDeltaFiles, diffDeltaFiles } from './diffdelta-files.ts';
import type { SiteChains } from './diffdelta-state.ts';

const DEFAULT_TTL_SEC = 300;

export interface DiffDeltaOptions {
  readonly site: URL;
  readonly ttlSeconds?: number;
  /** Whether this publish could read any page at all. */
  readonly isRead: boolean;
  readonly nowMs: number;
  /** Where archives of a publish that was cut off may lie. */
  readonly out: Place;
}

/**
 * A site's log as DiffDelta: one source, with an archive of each run. Runs that are published already are not made again.
 *
 * `changes` is the whole log.
 */
export async function publishDiffDelta(
  before: SiteChains,
  changes: readonly Change[],
  { site, ttlSeconds, isRead, nowMs, out }: DiffDeltaOptions,
): Promise<DiffDeltaFiles> {
  const status: ChainStatus = {
    source: sourceIdOf(site),
    root: site.pathname,
    ttlSec: ttlSeconds || DEFAULT_TTL_SEC,
    facts: { name: site.host, status: 'ok' },
    isRead,
    nowMs,
  };
  const runs = runsOf(changes);
  const items = replayRuns(runs, Math.min(before.own.archives.length, before.global.archives.length));
  const factsOf = (run: Run) => ({ ...status, time: run.time, items: items.get(run) ?? [] });

  const extended = await extendChain(before.own, runs, {
    out,
    make: (run, _, preceding) => sourceRunFeed(factsOf(run), preceding),
  });
  const makeGlobal = (run: Run, at: number, preceding: PrecedingFeed | undefined) => {
    const { cursor = '', prev_cursor: prevCursor = null } = extended.archives[at] ?? {};
    const facts = factsOf(run);
    const entry = runEntry(facts, { cursor, prevCursor });
    return globalRunFeed({ ...facts, entry, entryOfOther: () => undefined }, preceding);
  };
  const own = restateChain(extended, status);
  const global = restateChain(await extendChain(before.global, runs, { out, make: makeGlobal }), status);
  return diffDeltaFiles({ own, global }, { site, ...status });
}
