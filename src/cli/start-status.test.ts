import { expect, test } from 'vitest';
import type { Job } from '../doors/jobs.ts';
import { showStart } from './start-status.ts';
import type { World } from './world.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

function lab() {
  const clock = { ms: NOON };
  const shown: string[] = [];
  const world: World = {
    env: {},
    isTerminal: true,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async () => {},
    complain: () => {},
    status: (line) => void shown.push(line),
  };
  const start = showStart(world, () => clock.ms);
  return { clock, shown, start };
}

const JOB: Job = { id: '1', what: 'Catching up', done: 0, total: 1000, unit: 'changes', startedMs: NOON };

test('a start that is over soon shows nothing; a longer one says how far it is, and not for every change', () => {
  const { clock, shown, start } = lab();
  start.job(JOB);
  expect(shown).toEqual([]);
  clock.ms += 2000;
  for (let done = 500; done < 510; done += 1) start.job({ ...JOB, done });
  expect(shown).toEqual(['Catching up: 500 of 1,000 changes, 2 s, about 2 s left']);
  clock.ms += 1000;
  start.job({ ...JOB, done: 1000, outcome: 'done' });
  expect(shown.at(-1)).toBe('starting: 3 s');
  start[Symbol.dispose]();
  start.job(JOB);
  expect(shown.at(-1)).toBe('');
});

test('what the log says does not run into the line, and behind the start it is left alone', () => {
  const { shown, start } = lab();
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(`${message} behind ${shown.length}`);
  const logger = start.over({ debug: say, info: say, warn: say, error: say });
  logger.warn({}, 'first');
  start[Symbol.dispose]();
  const cleared = shown.length;
  logger.info({}, 'second');
  expect([said, shown.length]).toEqual([['first behind 1', `second behind ${cleared}`], cleared]);
});
