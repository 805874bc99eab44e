import { expect, test } from 'vitest';
import { changeOf } from '../../../test/support/change-of.ts';
import { type Job, JobBoard } from '../jobs/job-board.ts';
import { archiveLog } from './archive-log.ts';

test('a cut of the log says how many changes are archived', async () => {
  const steps: Job[] = [];
  const jobs = new JobBoard({ now: () => 0, onStep: (job) => steps.push({ ...job }) });
  const changes = Array.from({ length: 5 }, (_, at) => changeOf({ seq: at + 1, url: 'https://docs.example/a' }));
  const cuts: number[] = [];
  const written: number[] = [];
  const archive = await archiveLog(
    {
      jobs,
      store: {
        async *changes({ after = 0, limit = 0 }) {
          yield* changes.slice(after, after + limit);
        },
        lastChange: async () => changes.at(-1),
        logStart: () => undefined,
        cutLog: async (seq) => void cuts.push(seq),
      },
      shelves: { seq: 5, secure: async () => {}, rebegin: async () => {} },
      archives: {
        async write(found) {
          for await (const { seq } of found) written.push(seq);
          return { name: 'a', firstSeq: 1, lastSeq: 3, bytes: 3 };
        },
      },
    },
    3,
  );
  expect([archive?.lastSeq, written, cuts]).toEqual([3, [1, 2, 3], [3]]);
  expect(steps.map(({ done }) => done)).toEqual([0, 0, 1, 2, 3, 3]);
  expect(steps.at(-1)).toMatchObject({ what: 'Archiving the oldest changes', total: 3, outcome: 'done' });
});
