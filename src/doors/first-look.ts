import { ToolRefusal } from '../errors/tool-refusal.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { ChangeStream, SourceLook } from '../stream/change-stream.ts';

/** For the first reading of the sites, which is polite and therefore slow. */
const FIRST_LOOK_MS = 30_000;
const READING = 'The sites are being read for the first time, and nothing was found yet. Call it again in 30 s.';
const UNREADABLE =
  'None of the sites could be read so far. The tool sources says how they stand; they are tried again by themselves.';

/** A stream that does not report its log as empty before each site was read once: that would look like no news. */
export function firstLook(hub: ChangeStream): ChangeStream {
  const ending = new AbortController();
  let looks: readonly SourceLook[] | undefined;
  let looking: Promise<void> | undefined;
  const look = async () => {
    looks = await hub.look(ending.signal);
  };
  return {
    async changes(query, signal) {
      const page = await hub.changes(query, signal);
      if (page.next !== null) return page;
      looking ??= look().catch(() => undefined);
      const over = new AbortController();
      try {
        await Promise.race([looking, wait(FIRST_LOOK_MS, AbortSignal.any([signal, over.signal]))]);
      } finally {
        over.abort();
      }
      const found = await hub.changes(query, signal);
      if (found.next !== null) return found;
      if (looks === undefined) throw new ToolRefusal(READING, 'retry-later');
      if (looks.length > 0 && looks.every(({ is }) => is !== 'ok')) throw new ToolRefusal(UNREADABLE, 'retry-later');
      return found;
    },
    sources: (signal) => hub.sources(signal),
    look: (signal) => hub.look(signal),
    news: (maxWaitMs, signal) => hub.news(maxWaitMs, signal),
    async [Symbol.asyncDispose]() {
      ending.abort();
    },
  };
}
