import { expect, test } from 'vitest';
import { changeOf } from '../../test/support/change-of.ts';
import { replayRuns } from '../dialects/diffdelta/runs/replay-runs.ts';
import { readRuns, runsOf } from './runs-of.ts';

const at = (time: string, source: string, page: string) =>
  changeOf({ time, source, url: `https://docs.example/${page}`, checksum: `sha256:${time}` });

const LOG = [
  at('2026-01-01T00:00:00Z', 'a', 'p'),
  at('2026-01-01T00:00:00Z', 'a', 'q'),
  at('2026-01-01T00:00:00Z', 'b', 'p'),
  at('2026-01-01T00:00:00.001Z', 'a', 'p'),
  at('2026-01-01T00:00:00.002Z', 'a', 'q'),
];

test('a run is what follows each other with one source and one time', () => {
  expect(runsOf([])).toEqual([]);
  expect(runsOf(LOG).map(({ source, changes }) => [source, changes.length])).toEqual([
    ['a', 2],
    ['b', 1],
    ['a', 1],
    ['a', 1],
  ]);
});

test('read one at a time, the runs are the same', async () => {
  for (const changes of [[], LOG]) {
    const read = [];
    for await (const run of readRuns(changes)) read.push(run);
    expect(read).toEqual(runsOf(changes));
  }
});

test('the newest runs can be made without those before, and say the same', () => {
  const runs = runsOf(LOG.filter(({ source }) => source === 'a'));
  const all = replayRuns(runs, 0);
  const [, , last] = runs;
  if (last === undefined) throw new Error('There are three.');
  const newest = replayRuns(runs, 2);
  expect([...newest.keys()]).toEqual([last]);
  expect(newest.get(last)).toEqual(all.get(last));
  expect(newest.get(last)).toMatchObject([{ nature: 'updated', item: { provenance: { revision: 2 } } }]);
  expect(replayRuns(runs, 3).size).toBe(0);
});
