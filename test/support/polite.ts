import { createLivePages, type LivePages } from '../../src/crawl/live-page.ts';
import { createSiteTerms, type SiteTerms } from '../../src/crawl/site-terms.ts';
import { createTermFiles } from '../../src/crawl/term-files.ts';
import { createBackOffClient } from '../../src/fetch/back-off-client.ts';
import type { HostMemory } from '../../src/fetch/host-memory.ts';
import { createHostPauses } from '../../src/fetch/host-pauses.ts';
import type { HttpClient } from '../../src/fetch/http-client.ts';
import { MemoryHostMemory } from '../../src/fetch/memory-host-memory.ts';
import { createPoliteClient, type PoliteClient } from '../../src/fetch/polite-client.ts';
import { createRobotsAccess } from '../../src/fetch/robots-access.ts';

export interface PoliteOptions {
  readonly now?: () => number;
  readonly cooldownMs?: number;
  readonly memory?: HostMemory;
  /** Replaces the wait that moves the clock and takes no time. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly isPrivate?: boolean;
}

/** The HTTP clients as the doors wire them, over a client of the test. Waiting moves their clock and takes no time. */
export function politely(
  inner: HttpClient,
  {
    now: clock = Date.now,
    cooldownMs = 0,
    memory = new MemoryHostMemory(),
    isPrivate = true,
    ...options
  }: PoliteOptions = {},
): {
  readonly http: HttpClient;
  readonly client: PoliteClient;
  readonly pages: LivePages;
  readonly terms: SiteTerms;
} {
  let skippedMs = 0;
  const now = () => clock() + skippedMs;
  const skip = async (ms: number) => {
    skippedMs += ms;
  };
  const wait = options.wait ?? skip;
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
    isPrivate: async () => isPrivate,
  });
  const usageOf = (url: URL) => robots.usageOf(url);
  const terms = createSiteTerms({ http, usageOf, files: createTermFiles({ now }) });
  return { http, client, pages: createLivePages({ client, now }), terms };
}
