import type { Change } from '../../model/change.ts';

/** Consecutive changes of one source with one time: what was committed together. */
export async function* runsOf(
  changes: Iterable<Change> | AsyncIterable<Change>,
): AsyncGenerator<readonly Change[], void, undefined> {
  let run: Change[] = [];
  for await (const change of changes) {
    const [first] = run;
    if (first !== undefined && (first.source !== change.source || first.time !== change.time)) {
      yield run;
      run = [];
    }
    run.push(change);
  }
  if (run.length > 0) yield run;
}
