import { expect } from 'vitest';
import type { Change } from '../model/change.ts';

/** Numbers without holes from 1, rising ids, and no time that goes back. */
export function expectInOrder(changes: readonly Change[]): void {
  for (const [index, change] of changes.entries()) {
    const before = changes[index - 1];
    expect(change.seq).toBe(index + 1);
    if (before === undefined) continue;
    expect(change.id > before.id, `${change.id} after ${before.id}`).toBe(true);
    expect(Date.parse(change.time)).toBeGreaterThanOrEqual(Date.parse(before.time));
  }
}
