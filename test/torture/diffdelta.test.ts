import { expect, test } from 'vitest';
import { clause } from '../clause.ts';
import { shortOrLong } from '../support/short-or-long.ts';
import { type DiffDeltaReport, describeDiffDelta, ENGINE, tortureDiffDelta } from './diffdelta.ts';
import type { Engine } from './diffdelta-replay.mjs';
import { passed } from './harness.ts';
import { newSeed } from './hub-random.ts';

clause(
  ['DD-K13', 'DD-G5', 'DD-O3'],
  'random histories have the same cursors in another order and another process, and mislead no client',
  async () => {
    const report = await tortureDiffDelta({ histories: shortOrLong(6, 60), seed: newSeed() });
    expect(passed(report), describeDiffDelta(report)).toBe(true);
  },
);

/** A report on an engine with one part replaced. Replayed here only: another process has the real one. */
const reportOn = (broken: Partial<Engine>): Promise<DiffDeltaReport> =>
  tortureDiffDelta({ histories: shortOrLong(6, 25), seed: 1, engine: { ...ENGINE, ...broken }, withChild: false });

test('an engine that looks at the place in the log is found out', async () => {
  const itemsOfRun: Engine['itemsOfRun'] = (changes, recordOf) =>
    ENGINE.itemsOfRun(
      changes.map((change) => (change.action === 'delete' ? change : { ...change, excerpt: `${change.seq}` })),
      recordOf,
    );
  expect((await reportOn({ itemsOfRun })).wrong.differing).toBeGreaterThan(0);
});

test('an engine that forgets how often an item changed is found out', async () => {
  const itemsOfRun: Engine['itemsOfRun'] = (changes, recordOf) =>
    ENGINE.itemsOfRun(changes, (id) => {
      const record = recordOf(id);
      if (record === undefined) return undefined;
      const { revision: _, ...provenance } = record.item.provenance;
      return { ...record, item: { ...record.item, provenance } };
    });
  // Either a cursor returns, or the engine stops by itself.
  const found = await reportOn({ itemsOfRun }).then(
    ({ wrong }) => wrong.cursor,
    () => 1,
  );
  expect(found).toBeGreaterThan(0);
});

test('a chain with a hole misleads those who slept', async () => {
  const sourceRunFeed: Engine['sourceRunFeed'] = (run, before) =>
    ENGINE.sourceRunFeed(run, before && { ...before, archive_url: undefined });
  const { wrong } = await reportOn({ sourceRunFeed });
  expect(wrong.misled).toBeGreaterThan(0);
  expect(wrong.chain).toBeGreaterThan(0);
});

test('an entry that says changed with a cursor that did not is found out', async () => {
  const { wrong } = await reportOn({ unchangedEntry: (entry) => ({ ...entry, changed: false }) });
  expect(wrong.changed).toBeGreaterThan(0);
});
