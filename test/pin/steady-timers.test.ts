import { setTimeout as setRealTimeout } from 'node:timers';
import { expect, test } from 'vitest';
import { alarm, repeat } from '../../src/io/node/timer-alarm.ts';
import { openSteadyWorld } from './steady-world.ts';

test('what a hub plans for later comes by the clock of the world, never by the real one', async () => {
  const world = openSteadyWorld();
  const startMs = Date.parse('2026-03-01T09:00:00Z');
  const rung: string[] = [];
  const endings: (() => void)[] = [];
  try {
    world.enter('start', startMs);
    endings.push(repeat(1000, async () => void rung.push('every second')));
    alarm(2500, () => rung.push('2.5 s'));
    alarm(1000, () => rung.push('1 s'));
    endings.push(alarm(60_000, () => rung.push('60 s')));
    const cancel = alarm(1000, () => rung.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => void alarm(0, resolve));
    // Real timers ring in the order of their moments: those of a second would have come before this one.
    await new Promise<void>((resolve) => void setRealTimeout(resolve, 1001));
    expect(rung).toEqual([]);
    world.enter('later', startMs + 10_000);
    expect(rung).toEqual(['1 s', '2.5 s']);
  } finally {
    for (const end of endings) end();
    world.leave();
  }
  expect(globalThis.setTimeout).toBe(setRealTimeout);
});
