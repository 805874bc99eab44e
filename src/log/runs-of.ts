import type { Change } from '../model/change.ts';

/** What was committed at once of one source. */
export interface Run {
  readonly source: string;
  /** Names the run: no other of its source has it. */
  readonly time: string;
  readonly changes: readonly Change[];
}

/** Whether a run was taken from what had been published of it, because the log that held it is lost. */
export function isRecovered({ changes }: Run): boolean {
  return changes.some(({ provenance }) => provenance.recovered === true);
}

/** A run that may go on. */
interface GrowingRun extends Run {
  readonly changes: Change[];
}

/** A log, or a part of one that begins with a run, as runs: changes that follow each other, of one source and one time. */
export function runsOf(changes: Iterable<Change>): Run[] {
  const runs: GrowingRun[] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    if (run !== undefined && isOf(run, change)) run.changes.push(change);
    else runs.push(begun(change));
  }
  return runs;
}

/** The same for a log that is too long to be held: one run at a time. */
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
