import type { Run } from '../../../log/runs-of.ts';
import { runWeight } from './run-html.ts';

/** A run with its number in the log, from 0. */
export interface NumberedRun {
  readonly run: Run;
  readonly number: number;
}

/** The runs of a log, as pages hold them. Each list has the oldest first. */
export interface RunPages {
  /** The newest ones. */
  readonly newest: readonly NumberedRun[];
  /** Of older ones: a page is never another one again. */
  readonly older: readonly { readonly page: number; readonly runs: readonly NumberedRun[] }[];
  /** How many runs are on no page any more. */
  readonly left: number;
}

/** So many changes fill a page. */
const PAGE_CHANGES = 60;
/** So many pages of older runs are kept. */
const MAX_OLDER = 50;

/**
 * From the oldest on, so that what is full stays as it is when the log grows. The last page that is full is shown with what came behind it: the newest page
 * never begins with next to nothing.
 */
export function layOutRuns(runs: readonly Run[], { pageChanges = PAGE_CHANGES, maxOlder = MAX_OLDER } = {}): RunPages {
  const full: NumberedRun[][] = [];
  let filling: NumberedRun[] = [];
  let weight = 0;
  for (const [number, run] of runs.entries()) {
    filling.push({ run, number });
    // The first run is counted, not told one by one.
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
