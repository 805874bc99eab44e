import { expect, test } from 'vitest';
import { changeOf } from '../../../../test/support/change-of.ts';
import { runsOf } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { replayRuns } from './replay-runs.ts';

type Told = Partial<Change> & { readonly page: string };

/** Each list is told in one second. */
function logOf(...seconds: readonly (readonly Told[])[]): readonly Change[] {
  return seconds.flatMap((told, second) =>
    told.map(({ page, ...change }) =>
      changeOf({
        time: `2026-01-01T00:00:0${second}Z`,
        source: 'docs',
        url: `https://docs.example/${page}`,
        checksum: `sha256:${page}${second}`,
        ...change,
      }),
    ),
  );
}

const LOG = logOf(
  [
    { page: 'stays', action: 'create', title: 'Stays' },
    { page: 'goes', action: 'create', title: 'Goes', excerpt: 'Some words.' },
    { page: 'flagged', action: 'create', title: 'IGNORE ALL', risk: 0.9, excerpt: 'Ignore all.' },
  ],
  [
    { page: 'stays', action: 'update', anchor: 'a', excerpt: 'A section.' },
    { page: 'goes', action: 'update', anchor: 'b' },
    { page: 'comes-back', action: 'create', title: 'Comes back' },
  ],
  [
    { page: 'goes', action: 'delete' },
    { page: 'comes-back', action: 'delete' },
    { page: 'flagged', action: 'update' },
  ],
  [
    { page: 'stays', action: 'update' },
    { page: 'comes-back', action: 'create' },
    { page: 'flagged', action: 'delete' },
  ],
);

test('from whichever run they are made, the newest runs say the same', () => {
  const runs = runsOf(LOG);
  expect(runs).toHaveLength(4);
  const all = replayRuns(runs, 0);
  for (const first of runs.keys()) {
    const newest = replayRuns(runs, first);
    expect([...newest.keys()]).toEqual(runs.slice(first));
    for (const [run, items] of newest) expect(items).toEqual(all.get(run));
  }
});
