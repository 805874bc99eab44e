import { expect } from 'vitest';
import type { FeedServer } from './feed-server.ts';

/** Asks with longer and longer deadlines until the fault has fired: on a busy machine a short deadline ends before the request arrives. */
export async function untilFired(
  server: Pick<FeedServer, 'faultsFired'>,
  ask: (deadlineMs: number) => Promise<void>,
): Promise<void> {
  for (let deadlineMs = 100; server.faultsFired === 0 && deadlineMs < 30_000; deadlineMs *= 2) await ask(deadlineMs);
  expect(server.faultsFired).toBe(1);
}
