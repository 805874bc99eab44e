import { createLivePages, type LivePages } from '../../src/crawl/live-page.ts';
import { createBackOffClient } from '../../src/fetch/back-off-client.ts';
import { createHostPauses } from '../../src/fetch/host-pauses.ts';
import type { HttpClient } from '../../src/fetch/http-client.ts';
import { MemoryHostMemory } from '../../src/fetch/memory-host-memory.ts';
import { createPoliteClient, type PoliteClient } from '../../src/fetch/polite-client.ts';
import { createRobotsAccess } from '../../src/fetch/robots-access.ts';

export interface PoliteOptions {
  readonly now?: () => number;
  readonly cooldownMs?: number;
}

/** The ways out as the doors wire them, over a client of the test. Waiting moves their clock on and takes no time. */
export function politely(
  inner: HttpClient,
  { now: clock = Date.now, cooldownMs = 0 }: PoliteOptions = {},
): { readonly http: HttpClient; readonly client: PoliteClient; readonly pages: LivePages } {
  let skippedMs = 0;
  const now = () => clock() + skippedMs;
  const wait = async (ms: number) => {
    skippedMs += ms;
  };
  const memory = new MemoryHostMemory();
  const pauses = createHostPauses({ memory, now });
  const http = createBackOffClient({ http: inner, pauses, now });
  const robots = createRobotsAccess({ http, now, productToken: 'AIWebIndex' });
  const client = createPoliteClient({
    http,
    robots,
    memory,
    pauses,
    now,
    wait,
    cooldownMs,
    isPrivate: async () => true,
  });
  return { http, client, pages: createLivePages({ client, now }) };
}
