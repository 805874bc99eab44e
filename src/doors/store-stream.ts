import { CursorLostError } from '../errors/cursor-lost-error.ts';
import { sourceAddress } from '../hub/config/source-address.ts';
import { statusWord } from '../hub/health/source-status.ts';
import { readChangesPage } from '../hub/store/changes-page.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import type { ChangeStream, StreamSource } from '../stream/change-stream.ts';

const DEFAULT_LIMIT = 100;
/** So often a log that another process writes is looked at. */
const POLL_MS = 1000;

/** The log of a store that somebody else writes to: a hub in this process (`isOurs`), or another one. The store is not closed with it. */
export function storeStream(store: SqliteHubStore, { isOurs }: { readonly isOurs: boolean }): ChangeStream {
  let waiting = new AbortController();
  const ring = () => {
    waiting.abort();
    waiting = new AbortController();
  };
  if (isOurs) store.onChanges(ring);
  return {
    async changes({ after, source, limit = DEFAULT_LIMIT }) {
      const newest = await store.lastChange();
      const begins = store.logStart();
      const start = after === undefined || after === begins?.id ? begins : await store.changeById(after);
      if (after !== undefined && start === undefined) throw new CursorLostError(after);
      return await readChangesPage({ after, source, limit, start, newest }, store);
    },
    sources: async () => (await store.sources()).filter(({ dropped }) => !dropped).map(streamSource),
    look: async () => [],
    async news(maxWaitMs, signal) {
      if (isOurs) return await wait(maxWaitMs, AbortSignal.any([signal, waiting.signal]));
      const before = (await store.lastChange())?.id;
      for (let left = maxWaitMs; left > 0 && !signal.aborted; left -= POLL_MS) {
        await wait(Math.min(left, POLL_MS), signal);
        if ((await store.lastChange())?.id !== before) return;
      }
    },
    async [Symbol.asyncDispose]() {},
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
