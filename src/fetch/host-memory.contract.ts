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

  test('turns follow each other at the gap that each of them takes', async () => {
    await using memory = await open();
    expect(await memory.takeTurn('a.example', { nowMs: 1000, gapMs: 2000 })).toBe(1000);
    expect(await memory.takeTurn('a.example', { nowMs: 1500, gapMs: 5000 })).toBe(3000);
    expect(await memory.takeTurn('a.example', { nowMs: 1500, gapMs: 2000 })).toBe(8000);
    expect(await memory.takeTurn('b.example', { nowMs: 1500, gapMs: 2000 })).toBe(1500);
  });

  test('the end of a long fetch moves the next turn', async () => {
    await using memory = await open();
    await memory.takeTurn('a.example', { nowMs: 1000, gapMs: 2000 });
    await memory.extend('turn', 'a.example', 9000);
    expect(await memory.takeTurn('a.example', { nowMs: 4000, gapMs: 2000 })).toBe(9000);
  });

  test('a mark from a clock that was years ahead keeps nobody waiting', async () => {
    await using memory = await open();
    await memory.extend('turn', 'a.example', 1e15);
    expect(await memory.takeTurn('a.example', { nowMs: 4000, gapMs: 2000 })).toBe(4000);
    expect(await memory.takeTurn('a.example', { nowMs: 4000, gapMs: 2000 })).toBe(6000);
  });
}
