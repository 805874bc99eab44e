import type { Run } from '../../../log/runs-of.ts';
import { runWeight } from './run-html.ts';

/** A run with its number in the log, from 0. */
export interface NumberedRun {
  readonly run: Run;
  readonly number: number;
}

/** The runs of a log on their pages. Each list has the oldest first. */
export interface RunPages {
  /** The newest runs. */
  readonly newest: readonly NumberedRun[];
  /** The older runs. Such a page never changes. */
  readonly older: readonly { readonly page: number; readonly runs: readonly NumberedRun[] }[];
  /** How many runs are no longer on any page. */
  readonly left: number;
}

/** How many changes fill a page. */
const PAGE_CHANGES = 60;
/** How many pages of older runs are kept. */
const MAX_OLDER = 50;

/**
 * Fills pages from the oldest run on, so that full pages stay the same when the log grows. The newest page shows the last full page
 * with what came after it, so it is never almost empty.
 */
export function layOutRuns(runs: readonly Run[], { pageChanges = PAGE_CHANGES, maxOlder = MAX_OLDER } = {}): RunPages {
  const full: NumberedRun[][] = [];
  let filling: NumberedRun[] = [];
  let weight = 0;
  for (const [number, run] of runs.entries()) {
    filling.push({ run, number });
    // The first run is only counted, its changes are not listed.
    weight += number === 0 ? 1 : runWeight(run);
    if (weight < pageChanges) continue;
    full.push(filling);
    [filling, weight] = [[], 0];
  }
  const closed = full.slice(0, -1).map((each, at) => ({ page: at + 1, runs: each }));
  const older = maxOlder === 0 ? [] : closed.slice(-maxOlder);
  const left = older[0]?.runs[0]?.number ?? full.at(-1)?.[0]?.number ?? 0;
  return { newest: [...(full.at(-1) ?? []), ...filling], older, left };
}
