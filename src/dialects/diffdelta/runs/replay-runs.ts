import type { Run } from '../../../log/runs-of.ts';
import { type ItemRecord, itemIdOf, itemsOfRun, type RunItem } from './run-items.ts';

/**
 * The items of the runs from number `first` on. Of the runs before, only what they say of the same pages is gone through,
 * so that the cost follows the change and not the history of all pages.
 */
export function replayRuns(runs: readonly Run[], first: number): ReadonlyMap<Run, readonly RunItem[]> {
  const wanted = new Set(runs.slice(first).flatMap(({ changes }) => changes.map(itemIdOf)));
  const records = new Map<string, ItemRecord>();
  const items = new Map<Run, readonly RunItem[]>();
  if (wanted.size === 0) return items;
  for (const [at, run] of runs.entries()) {
    const changes = at < first ? run.changes.filter((change) => wanted.has(itemIdOf(change))) : run.changes;
    const ofRun = itemsOfRun(changes, (id) => records.get(id));
    for (const { item, isRemoved } of ofRun) records.set(item.id, { item, isRemoved });
    if (at >= first) items.set(run, ofRun);
  }
  return items;
}
