import type { Run } from '../../../log/runs-of.ts';
import { sourceIdOf } from '../../../model/source.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import type { EntryFacts, MadeFeed, PrecedingFeed } from '../runs/make-feed.ts';
import { replayRuns } from '../runs/replay-runs.ts';
import { globalRunFeed, runEntry, sourceRunFeed } from '../runs/run-feeds.ts';
import type { RunLimits } from './split-runs.ts';

const DEFAULT_TTL_SEC = 300;

/** What the feeds of a site state besides its runs. */
export interface SiteFacts {
  readonly source: string;
  readonly root: string;
  readonly ttlSec: number;
  readonly facts: EntryFacts;
}

export interface SiteOptions extends RunLimits {
  readonly site: URL;
  readonly ttlSeconds?: number | undefined;
}

export function siteFactsOf({ site, ttlSeconds }: SiteOptions): SiteFacts {
  return {
    source: sourceIdOf(site),
    root: site.pathname,
    ttlSec: ttlSeconds || DEFAULT_TTL_SEC,
    facts: { name: site.host, status: 'ok' },
  };
}

/** Makes the feed of run number `at`. The same input gives the same bytes. */
export type MakeFeed = (run: Run, at: number, before: PrecedingFeed | undefined) => MadeFeed;

export interface RunMakers {
  readonly own: MakeFeed;
  /** The feed of all sources names the cursors of the site's own feed. */
  global(ownArchives: readonly ArchiveEntry[]): MakeFeed;
}

/** Makes the feeds of the runs from number `first` on. */
export function runMakers(runs: readonly Run[], first: number, site: SiteFacts): RunMakers {
  const items = replayRuns(runs, first);
  const factsOf = (run: Run) => ({ ...site, time: run.time, items: items.get(run) ?? [] });
  return {
    own: (run, _, before) => sourceRunFeed(factsOf(run), before),
    global: (ownArchives) => (run, at, before) => {
      const { cursor = '', prev_cursor: prevCursor = null } = ownArchives[at] ?? {};
      const facts = factsOf(run);
      const entry = runEntry(facts, { cursor, prevCursor });
      return globalRunFeed({ ...facts, entry, entryOfOther: () => undefined }, before);
    },
  };
}
