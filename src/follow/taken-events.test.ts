import { expect, test } from 'vitest';
import { CommandFailedError } from '../errors/command-failed-error.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { PollOutcome } from './hand-on.ts';
import { takenEvents } from './taken-events.ts';

function setUp(options: { readonly refusals?: number; readonly once?: boolean } = {}) {
  const { refusals = 0, once = false } = options;
  const happened: string[] = [];
  const waits: number[] = [];
  const said: string[] = [];
  let left = refusals;
  async function* events(): AsyncGenerator<FollowedEvent, PollOutcome> {
    try {
      for (const id of ['1', '2']) {
        yield { id, boundary: `https://docs.example/${id}` } as FollowedEvent;
        happened.push(`taken ${id}`);
      }
      return { freshMs: 7 };
    } finally {
      happened.push('end');
    }
  }
  const taking = takenEvents(events(), {
    take: async ({ id, boundary }) => {
      happened.push(`try ${id}`);
      if (id !== '2' || left === 0) return;
      left -= 1;
      throw new CommandFailedError(boundary, 7);
    },
    once,
    pauseMs: 2000,
    wait: async (ms) => void waits.push(ms),
    signal: new AbortController().signal,
    onDiagnostic: ({ message }) => said.push(message),
  });
  return { taking, happened, waits, said };
}

test('an event is given when it was taken, and the next one comes behind it', async () => {
  const { taking, happened } = setUp();
  const ids: string[] = [];
  for (let next = await taking.next(); ; next = await taking.next()) {
    if (next.done) {
      expect(next.value).toEqual({ freshMs: 7 });
      break;
    }
    ids.push(next.value.id);
  }
  expect(ids).toEqual(['1', '2']);
  expect(happened).toEqual(['try 1', 'taken 1', 'try 2', 'taken 2', 'end']);
});

test('what is refused is tried again, ever later, and said', async () => {
  const { taking, happened, waits, said } = setUp({ refusals: 3 });
  for await (const _ of taking);
  expect(happened).toEqual(['try 1', 'taken 1', 'try 2', 'try 2', 'try 2', 'try 2', 'taken 2', 'end']);
  expect(waits).toEqual([2000, 4000, 8000]);
  expect(said[0]).toMatch(/exit code 7 for https:\/\/docs\.example\/2\. .* Next try in 2 s\.$/);
});

test('with once it ends the poll, and is not taken', async () => {
  const { taking, happened } = setUp({ refusals: 1, once: true });
  await expect(async () => {
    for await (const _ of taking);
  }).rejects.toThrow(CommandFailedError);
  expect(happened).toEqual(['try 1', 'taken 1', 'try 2', 'end']);
});
