import { expect, test } from 'vitest';
import { FakeTime } from '../../test/support/fake-time.ts';
import { HostBusyError } from '../errors/crawl-error.ts';
import { createHostTurns, type HostTurns, type Turn } from './host-turns.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

const GAP_MS = 2000;
const URL_OF_HOST = new URL('https://busy.example/');

/** Turns on a clock that moves only when told, and who got theirs. */
function lab(memory = new MemoryHostMemory()) {
  const time = new FakeTime(Date.parse('2026-03-01T12:00:00Z'));
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const cancel = time.alarm(ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  const turns: HostTurns = createHostTurns({ memory, now: time.now, wait });
  const got: string[] = [];
  const held = new Map<string, Turn>();
  const take = (name: string, yields: boolean, maxWaitMs = 60_000): Promise<void> =>
    turns.take(URL_OF_HOST, { gapMs: GAP_MS, maxWaitMs, signal: new AbortController().signal, yields }).then(
      (turn) => {
        got.push(name);
        held.set(name, turn);
      },
      (error: unknown) => {
        got.push(error instanceof HostBusyError ? `${name} gave up` : `${name}: ${error}`);
      },
    );
  return { time, got, take, turn: (name: string) => held.get(name) };
}

test('whoever yields stands behind all who do not, also those who come later', async () => {
  const { time, got, take, turn } = lab();
  void take('check 1', false);
  await time.pass(0);
  for (const name of ['document 1', 'document 2', 'document 3']) void take(name, true);
  void take('check 2', false);
  await turn('check 1')?.end();
  await time.pass(GAP_MS);
  void take('check 3', false);
  await turn('check 2')?.end();
  await time.pass(GAP_MS);
  expect(got).toEqual(['check 1', 'check 2', 'check 3']);
  await turn('check 3')?.end();
  await time.pass(GAP_MS);
  expect(got).toEqual(['check 1', 'check 2', 'check 3', 'document 1']);
});

test('a crawl that asks page after page is not interleaved, since who waits for the pause steps aside', async () => {
  const { time, got, take, turn } = lab();
  void take('document', true);
  await time.pass(0);
  await turn('document')?.end();
  for (let page = 1; page <= 5; page++) {
    void take(`later ${page}`, true);
    await time.pass(GAP_MS / 2);
    void take(`page ${page}`, false);
    await time.pass(GAP_MS / 2);
    await turn(`page ${page}`)?.end();
  }
  expect(got).toEqual(['document', 'page 1', 'page 2', 'page 3', 'page 4', 'page 5']);
});

test('a turn of one who yields is wanted back as soon as somebody else comes', async () => {
  const { time, got, take, turn } = lab();
  void take('document', true);
  await time.pass(0);
  void take('document 2', true);
  await time.pass(0);
  expect(turn('document')?.wanted.aborted).toBe(false);
  void take('check', false);
  expect(turn('document')?.wanted.aborted).toBe(true);
  await turn('document')?.end();
  await time.pass(GAP_MS);
  expect(got).toEqual(['document', 'check']);
  expect(turn('check')?.wanted.aborted).toBe(false);
});

test('the wait of one who yields has an end, in the line too', async () => {
  const { time, got, take } = lab();
  void take('check', false);
  await time.pass(0);
  for (const name of ['a', 'b', 'c']) void take(name, true, 5000);
  await time.pass(4999);
  expect(got).toEqual(['check']);
  await time.pass(1);
  expect(got).toEqual(['check', 'a gave up', 'b gave up', 'c gave up']);
});

test('whoever gives up leaves its place to the next', async () => {
  const { time, got, take, turn } = lab();
  void take('check', false);
  await time.pass(0);
  void take('short', true, 1000);
  void take('long', true, 60_000);
  await time.pass(1000);
  await turn('check')?.end();
  await time.pass(GAP_MS);
  expect(got).toEqual(['check', 'short gave up', 'long']);
});

test('a turn that cannot be given back holds up nobody of this process for longer than the others', async () => {
  const memory = new MemoryHostMemory();
  const { time, got, take, turn } = lab(memory);
  void take('first', false);
  await time.pass(0);
  const away = new Error('The memory is away.');
  memory.endTurn = () => Promise.reject(away);
  await expect(turn('first')?.end()).rejects.toBe(away);
  void take('second', false);
  await time.pass(31_000);
  expect(got).toEqual(['first', 'second']);
});
