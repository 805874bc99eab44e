import type { Run } from '../../../log/runs-of.ts';
import { eachItemOfRun, type ItemRecord, isPageDelete, itemIdOf, type RunItem } from './run-items.ts';

/**
 * The items of the runs from number `first` on. Of earlier runs, only changes of the same pages are replayed, so that the cost
 * depends on the change and not on the history of all pages. Their content is hashed only for pages that are deleted.
 */
export function replayRuns(runs: readonly Run[], first: number): ReadonlyMap<Run, readonly RunItem[]> {
  const newest = runs.slice(first).flatMap(({ changes }) => changes);
  const wanted = new Set(newest.map(itemIdOf));
  const going = new Set(newest.filter(isPageDelete).map(itemIdOf));
  const records = new Map<string, ItemRecord>();
  const items = new Map<Run, readonly RunItem[]>();
  if (wanted.size === 0) return items;
  for (const [at, run] of runs.entries()) {
    const changes = at < first ? run.changes.filter((change) => wanted.has(itemIdOf(change))) : run.changes;
    const isPassed = (id: string) => at < first && !going.has(id);
    const ofRun = [...eachItemOfRun(changes, (id) => records.get(id), isPassed)];
    for (const { item, isRemoved } of ofRun) records.set(item.id, { item, isRemoved });
    if (at >= first) items.set(run, ofRun);
  }
  return items;
}
