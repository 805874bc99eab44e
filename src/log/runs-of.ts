import type { Change } from '../model/change.ts';

/** Changes of one source that were committed together. */
export interface Run {
  readonly source: string;
  /** Names the run: no other run of its source has this time. */
  readonly time: string;
  readonly changes: readonly Change[];
}

/** Whether a run was recovered from published documents because the log that held it was lost. */
export function isRecovered({ changes }: Run): boolean {
  return changes.some(({ provenance }) => provenance.recovered === true);
}

/** A run that may get more changes. */
interface GrowingRun extends Run {
  readonly changes: Change[];
}

/** Splits a log, or a part of one that begins with a run, into runs: consecutive changes of one source and one time. */
export function runsOf(changes: Iterable<Change>): Run[] {
  const runs: GrowingRun[] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    if (run !== undefined && isOf(run, change)) run.changes.push(change);
    else runs.push(begun(change));
  }
  return runs;
}

/** The same for a log that is too long for memory: one run at a time. */
export async function* readRuns(
  changes: Iterable<Change> | AsyncIterable<Change>,
): AsyncGenerator<Run, void, undefined> {
  let run: GrowingRun | undefined;
  for await (const change of changes) {
    if (run !== undefined && isOf(run, change)) {
      run.changes.push(change);
      continue;
    }
    if (run !== undefined) yield run;
    run = begun(change);
  }
  if (run !== undefined) yield run;
}

function isOf(run: Run, { source, time }: Change): boolean {
  return run.source === source && run.time === time;
}

function begun(change: Change): GrowingRun {
  return { source: change.source, time: change.time, changes: [change] };
}
