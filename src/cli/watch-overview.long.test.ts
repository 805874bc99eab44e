import { expect, test } from 'vitest';
import { snapshotOf } from '../../test/support/overview-snapshot.ts';
import type { OverviewSnapshot } from '../doors/hub-overview.ts';
import { ConnectionError } from '../errors/fetch-error.ts';
import { watchOverview } from './watch-overview.ts';
import type { World } from './world.ts';

type Step = OverviewSnapshot | Error;

/** A watch that is shown these, one with each piece of news, and is ended behind the last. */
async function watched(steps: readonly Step[], { json = false, isScreen = false, env = {} } = {}) {
  const stop = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const drawn: string[][] = [];
  let isLeft = false;
  let end = () => {};
  let at = 0;
  const world: World = {
    env,
    isTerminal: isScreen,
    version: '0.0.0',
    signal: stop.signal,
    print: async (line) => void out.push(line),
    complain: (line) => void err.push(line),
    status: () => {},
    ...(isScreen && {
      openScreen: () => ({
        size: () => ({ columns: 30, rows: 12 }),
        draw: (lines: readonly string[]) => void drawn.push([...lines]),
        onResize: () => {},
        onEnd: (listener: () => void) => {
          end = listener;
        },
        [Symbol.dispose]() {
          isLeft = true;
        },
      }),
    }),
  };
  await watchOverview(
    {
      json,
      async read() {
        const step = steps[at];
        at += 1;
        if (at >= steps.length) setImmediate(isScreen ? end : () => stop.abort());
        if (step instanceof Error || step === undefined) throw step ?? new Error('No more.');
        return step;
      },
      async listen(onNews, signal) {
        const clock = setInterval(onNews, 5);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        clearInterval(clock);
      },
    },
    world,
  );
  return { out, err, drawn, isLeft };
}

const GONE = new ConnectionError(new URL('http://127.0.0.1:1/'), new Error('refused'));

test('without a terminal each change of state is one text; that a job goes on is none', async () => {
  const [job] = snapshotOf().jobs;
  if (job === undefined) throw new Error('One runs.');
  const { out } = await watched([
    snapshotOf(),
    snapshotOf({ atMs: 5, jobs: [{ ...job, done: 200 }] }),
    snapshotOf({ sources: 13 }),
  ]);
  expect(out.filter((line) => line.startsWith('Tidings '))).toHaveLength(2);
  expect(out.filter((line) => line === 'Running now')).toHaveLength(2);
});

test('as JSON it is one object a line, for every difference', async () => {
  const [job] = snapshotOf().jobs;
  if (job === undefined) throw new Error('One runs.');
  const { out } = await watched([snapshotOf(), snapshotOf(), snapshotOf({ jobs: [{ ...job, done: 200 }] })], {
    json: true,
  });
  expect(out.map((line) => JSON.parse(line))).toMatchObject([
    { at: '2026-03-01T12:00:00.000Z', states: { ok: 9 }, jobs: [{ done: 120 }] },
    { jobs: [{ done: 200 }] },
  ]);
});

test('on a terminal it is drawn within its size, says what cannot be read, and is left when somebody ends it', async () => {
  const { drawn, isLeft, out } = await watched([snapshotOf(), GONE, snapshotOf()], { isScreen: true });
  expect([drawn.length, isLeft, out]).toEqual([3, true, []]);
  for (const lines of drawn) expect(lines.length).toBeLessThanOrEqual(12);
  expect(drawn[0]?.join('\n')).toContain('\x1b[31m1 in error\x1b[0m');
  expect(drawn[0]?.at(-1)).toContain('q ends it');
  expect(drawn[1]?.at(-1)).toContain('No answer');
  expect(drawn[2]?.at(-1)).toContain('q ends it');
});

test('NO_COLOR leaves the colours out', async () => {
  const { drawn } = await watched([snapshotOf(), snapshotOf()], { isScreen: true, env: { NO_COLOR: '1' } });
  expect(drawn.flat().join('')).not.toContain('\x1b');
});

test('what cannot be read at first is thrown; later it is said once', async () => {
  await expect(watched([GONE])).rejects.toBe(GONE);
  const { err } = await watched([snapshotOf(), GONE, GONE, snapshotOf()]);
  expect(err).toHaveLength(1);
});
