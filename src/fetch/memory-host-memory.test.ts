import { expect, test } from 'vitest';
import { describeHostMemory } from './host-memory.contract.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';

describeHostMemory(async () => new MemoryHostMemory());

test('marks that are over do not pile up', async () => {
  const memory = new MemoryHostMemory();
  await memory.extend('pause', 'kept.example', 10_000_000);
  for (let host = 0; host < 25_000; host++) {
    await memory.claimTurn(`h${host}.example`, { nowMs: host, busyUntilMs: host + 30 });
    await memory.endTurn(`h${host}.example`, host + 1);
  }
  expect(memory.size).toBeLessThanOrEqual(10_001);
  expect(await memory.until('pause', 'kept.example')).toBe(10_000_000);
});
