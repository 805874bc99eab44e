import type { Run } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import type { ArchiveEntry } from '../runs/archive-index.ts';
import { itemIdOf } from '../runs/run-items.ts';

export interface RunLimits {
  /** So many pages a feed names; 500 unless said otherwise. */
  readonly runItems?: number | undefined;
  /** So many bytes its changes have in the log, but for a page that has more; 512 KiB unless said otherwise. */
  readonly runBytes?: number | undefined;
}

const RUN_ITEMS = 500;
const RUN_BYTES = 512 * 1024;

/**
 * The runs of a log as feeds tell of them: one that is too large for a feed is several, which follow each other. What has an archive
 * stays as it was cut then.
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

/** The last change of a run that is not all of what was committed at once; undefined where it is. */
export function lastOfPiece(run: Run, at: number, runs: readonly Run[]): number | undefined {
  const isNeighbour = (other: Run | undefined) => other?.time === run.time && other.source === run.source;
  return isNeighbour(runs[at - 1]) || isNeighbour(runs[at + 1]) ? run.changes.at(-1)?.seq : undefined;
}

/** A page is in one piece with all its sections. */
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
