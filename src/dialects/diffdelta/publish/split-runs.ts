import type { Run } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import { itemIdOf } from '../runs/run-items.ts';

export interface RunLimits {
  /** The most pages in a feed; 500 by default. */
  readonly runItems?: number | undefined;
  /** The most bytes of its changes in the log, unless a single page has more; 512 KiB by default. */
  readonly runBytes?: number | undefined;
}

const RUN_ITEMS = 500;
const RUN_BYTES = 512 * 1024;

/**
 * Splits the runs of a log for feeds: a run that is too large for one feed becomes several consecutive ones. What is already
 * archived stays split as it was.
 */
export function splitRuns(runs: readonly Run[], archives: readonly ArchiveEntry[], limits: RunLimits): readonly Run[] {
  const pieces: Run[] = [];
  for (const run of runs) {
    let rest = run;
    for (let entry = archives[pieces.length]; entry !== undefined; entry = archives[pieces.length]) {
      const { last } = entry;
      const count = last === undefined ? rest.changes.length : rest.changes.filter(({ seq }) => seq <= last).length;
      pieces.push({ ...rest, changes: rest.changes.slice(0, count) });
      rest = { ...rest, changes: rest.changes.slice(count) };
      if (rest.changes.length === 0) break;
    }
    if (rest.changes.length > 0) pieces.push(...cut(rest, limits));
  }
  return pieces;
}

/** The seq of the last change in a piece of a split run; undefined if the run was not split. */
export function lastOfPiece(run: Run, at: number, runs: readonly Run[]): number | undefined {
  const isNeighbour = (other: Run | undefined) => other?.time === run.time && other.source === run.source;
  return isNeighbour(runs[at - 1]) || isNeighbour(runs[at + 1]) ? run.changes.at(-1)?.seq : undefined;
}

/** A page stays in one piece with all its sections. */
function cut(run: Run, { runItems = RUN_ITEMS, runBytes = RUN_BYTES }: RunLimits): readonly Run[] {
  const pieces: Run[] = [];
  let changes: Change[] = [];
  const items = new Set<string>();
  let bytes = 0;
  for (const change of run.changes) {
    const id = itemIdOf(change);
    const size = JSON.stringify(change).length;
    const isFull = items.size >= runItems || bytes + size > runBytes;
    if (isFull && changes.length > 0 && !items.has(id)) {
      pieces.push({ ...run, changes });
      changes = [];
      items.clear();
      bytes = 0;
    }
    changes.push(change);
    items.add(id);
    bytes += size;
  }
  return [...pieces, { ...run, changes }];
}
