import type { Change } from '../../model/change.ts';

/** What was committed at once of one source. */
export interface Run {
  readonly source: string;
  /** Names the run: no other of its source has it. */
  readonly time: string;
  readonly changes: readonly Change[];
}

/** A log, or a part of one that begins with a run, as runs: changes that follow each other, of one source and one time. */
export function runsOf(changes: Iterable<Change>): Run[] {
  const runs: { source: string; time: string; changes: Change[] }[] = [];
  for (const change of changes) {
    const { source, time } = change;
    const run = runs.at(-1);
    if (run?.source === source && run.time === time) run.changes.push(change);
    else runs.push({ source, time, changes: [change] });
  }
  return runs;
}
