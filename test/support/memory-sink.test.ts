import { describeSink } from '../../src/sync/sink.contract.ts';
import type { SyncedPage } from '../../src/sync/sink.ts';
import { watchBy } from '../../src/sync/sink-lab.contract.ts';
import { createMemorySink } from './memory-sink.ts';

describeSink('a sink in memory', async () => {
  const places = new Map<string, SyncedPage>();
  const read = async (url: string) => (places.get(url)?.sections ?? []).map(({ markdown }) => markdown).join('\n');
  return {
    open: async () => createMemorySink(places),
    isAtomic: true,
    read,
    // A turn of the event loop between two looks: those who write must have theirs.
    watch: async (url) => watchBy(() => new Promise((resolve) => setImmediate(() => resolve(read(url))))),
    dump: async () => structuredClone([...places]),
    async [Symbol.asyncDispose]() {},
  };
});
