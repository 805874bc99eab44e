import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { sourceAddress } from '../hub/config/source-address.ts';
import { statusWord } from '../hub/health/source-status.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import type { ChangeTail } from '../hub/push/change-tail.ts';
import { placeInLog } from '../hub/push/log-place.ts';
import { readChangesPage } from '../hub/store/changes-page.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { ChangeStream, StreamSource } from '../stream/change-stream.ts';

const DEFAULT_LIMIT = 100;
/** How often a log that another process writes is polled. */
const POLL_MS = 1000;

/** The log of a store with another writer: a hub in this process, which passes its tail, or another process. The store is not closed with it. */
export function storeStream(store: WholeHubStore, tail?: Pick<ChangeTail, 'onEvents'>): ChangeStream {
  let waiting = new AbortController();
  const end = tail?.onEvents(() => {
    waiting.abort();
    waiting = new AbortController();
  });
  return {
    async changes({ after, source, limit = DEFAULT_LIMIT }) {
      const newest = await store.lastChange();
      const start = after === undefined ? store.logStart() : await placeInLog(after, store);
      if (after !== undefined && start === undefined) throw new CursorLostError(after);
      return await readChangesPage({ source, limit, start, epoch: await logEpoch(store), newest }, store);
    },
    sources: async () => (await store.sources()).filter(({ dropped }) => !dropped).map(streamSource),
    look: async () => [],
    async news(maxWaitMs, signal) {
      if (tail !== undefined) return await wait(maxWaitMs, AbortSignal.any([signal, waiting.signal]));
      const before = (await store.lastChange())?.id;
      for (let left = maxWaitMs; left > 0 && !signal.aborted; left -= POLL_MS) {
        await wait(Math.min(left, POLL_MS), signal);
        if ((await store.lastChange())?.id !== before) return;
      }
    },
    async [Symbol.asyncDispose]() {
      end?.();
    },
  };
}

export function streamSource(source: WatchedSource): StreamSource {
  const { config, health } = source;
  return {
    id: config.id,
    url: sourceAddress(source),
    kind: config.kind,
    status: statusWord(source),
    ...(config.title !== undefined && { title: config.title }),
    ...(health.error !== undefined && { errorMessage: health.error.message }),
  };
}
