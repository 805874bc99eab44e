import { expect, test } from 'vitest';
import type { HostMemory } from './host-memory.ts';

/** What every memory of hosts does. `open` gives a new, empty one. */
export function describeHostMemory(open: () => Promise<HostMemory>): void {
  test('nothing is known of a host that was never asked', async () => {
    await using memory = await open();
    expect(await memory.until('pause', 'a.example')).toBe(0);
  });

  test('a mark only moves on, and belongs to its host and kind alone', async () => {
    await using memory = await open();
    await memory.extend('pause', 'a.example', 5000);
    await memory.extend('pause', 'a.example', 3000);
    expect(await memory.until('pause', 'a.example')).toBe(5000);
    expect(await memory.until('pause', 'b.example')).toBe(0);
    expect(await memory.until('https', 'a.example')).toBe(0);
    await memory.forget('pause', 'a.example');
    expect(await memory.until('pause', 'a.example')).toBe(0);
  });

  test('the hosts that have a mark can be listed', async () => {
    await using memory = await open();
    await memory.extend('pause', 'a.example', 5000);
    await memory.extend('pause', 'b.example source:x', 6000);
    await memory.extend('https', 'c.example', 7000);
    const marks = [
      { mark: 'pause', host: 'a.example', untilMs: 5000 },
      { mark: 'pause', host: 'b.example source:x', untilMs: 6000 },
    ];
    expect(await memory.marked('pause')).toEqual(marks);
    expect(await memory.marked('turn')).toEqual([]);
  });

  test('a turn is had by one at a time, and the next begins when the one before says', async () => {
    await using memory = await open();
    const taken = { busyUntilMs: 0, turnAtMs: 0 };
    expect(await memory.claimTurn('a.example', { nowMs: 1000, busyUntilMs: 31_000 })).toEqual(taken);
    const busy = { busyUntilMs: 31_000, turnAtMs: 0 };
    expect(await memory.claimTurn('a.example', { nowMs: 1500, busyUntilMs: 31_500 })).toEqual(busy);
    expect(await memory.claimTurn('b.example', { nowMs: 1500, busyUntilMs: 31_500 })).toEqual(taken);
    await memory.endTurn('a.example', 4000);
    const early = { busyUntilMs: 0, turnAtMs: 4000 };
    expect(await memory.claimTurn('a.example', { nowMs: 3999, busyUntilMs: 33_999 })).toEqual(early);
    expect(await memory.claimTurn('a.example', { nowMs: 4000, busyUntilMs: 34_000 })).toEqual(taken);
  });

  test('a turn that is never given back ends by itself', async () => {
    await using memory = await open();
    await memory.claimTurn('a.example', { nowMs: 1000, busyUntilMs: 31_000 });
    const taken = { busyUntilMs: 0, turnAtMs: 0 };
    expect(await memory.claimTurn('a.example', { nowMs: 31_000, busyUntilMs: 61_000 })).toEqual(taken);
  });

  test('a mark from a clock that was years ahead keeps nobody waiting', async () => {
    await using memory = await open();
    await memory.endTurn('a.example', 1e15);
    const taken = { busyUntilMs: 0, turnAtMs: 0 };
    expect(await memory.claimTurn('a.example', { nowMs: 4000, busyUntilMs: 34_000 })).toEqual(taken);
  });
}
