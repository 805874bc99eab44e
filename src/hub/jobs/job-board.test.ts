import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { jobsRoute } from '../routes/job-routes.ts';
import { type Job, JobBoard, type TellProgress } from './job-board.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

function lab() {
  const clock = { ms: NOON };
  const steps: Job[] = [];
  const board = new JobBoard({ now: () => clock.ms, onStep: (job) => steps.push({ ...job }) });
  const begin = (words: object = {}) => {
    let tell: TellProgress = () => {};
    let end = (_error?: Error) => {};
    const ended = board
      .run({ what: 'First reading', unit: 'pages', ...words }, (progress) => {
        tell = progress;
        return new Promise<void>((resolve, reject) => {
          end = (error) => (error === undefined ? resolve() : reject(error));
        });
      })
      .catch((error: Error) => error.message);
    return {
      tell: (done: number, total?: number) => tell(done, total),
      async end(error?: Error) {
        end(error);
        return await ended;
      },
    };
  };
  return { board, clock, steps, begin };
}

test('work stands on the board once it takes a while, with how far it is; then what came of it', async () => {
  const { board, clock, begin } = lab();
  const job = begin({ source: 'docs' });
  expect(board.running()).toEqual([]);
  clock.ms += 2000;
  job.tell(120, 400);
  const ask = async () => jsonOf(await callRoute([jobsRoute(board)], 'GET /api/v1/jobs'));
  const startedAt = '2026-03-01T12:00:00Z';
  expect(await ask()).toEqual({
    running: [{ id: '1', what: 'First reading', source: 'docs', done: 120, total: 400, unit: 'pages', startedAt }],
    ended: [],
  });
  expect(await job.end()).toBeUndefined();
  expect(await ask()).toMatchObject({ running: [], ended: [{ outcome: 'done', endedAt: '2026-03-01T12:00:02Z' }] });
  clock.ms += 10 * 60_000 + 1;
  expect((await ask()).ended).toEqual([]);
});

test('what fails says so and throws as it did; what was short leaves nothing', async () => {
  const { board, clock, begin, steps } = lab();
  const short = begin();
  await short.end();
  expect(board.ended()).toEqual([]);
  const job = begin();
  clock.ms += 5000;
  expect(await job.end(new Error('No room.'))).toBe('No room.');
  expect(board.ended()).toMatchObject([{ outcome: 'failed' }]);
  expect(steps.map(({ outcome }) => outcome)).toEqual([undefined, 'done', undefined, 'failed']);
});

test('of what has ended twenty are kept', async () => {
  const { board, clock, begin } = lab();
  for (let number = 0; number < 30; number += 1) {
    const job = begin();
    clock.ms += 2000;
    await job.end();
  }
  expect(board.ended().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => String(30 - at)));
});

test('work that others do is on the board until somebody finds all of it done', () => {
  const { board, clock } = lab();
  let done = 0;
  board.follow({ what: 'First reading of what was imported', unit: 'sources', total: 3, doneNow: () => done });
  clock.ms += 2000;
  done = 2;
  expect(board.running()).toMatchObject([{ unit: 'sources', done: 2, total: 3 }]);
  done = 3;
  expect(board.running()).toEqual([]);
  expect(board.ended()).toMatchObject([{ unit: 'sources', done: 3, outcome: 'done' }]);
});
