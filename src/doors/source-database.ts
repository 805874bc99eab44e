import { WriteRefusedError } from '../errors/write-refused-error.ts';
import { createHostPauses } from '../fetch/host-pauses.ts';
import { sourceAsker } from '../hub/visit/source-asker.ts';
import { keptSources } from '../hub/watch/watch-sources.ts';
import { isAnyAlive, openSharedHub, type SharedHub, type SharedHubOptions } from './shared-hub.ts';
import type { SourcePlace } from './source-place.ts';
import { type SourceKeep, StoredSources, type StoredSourcesOptions } from './stored-sources.ts';

export interface SourceDatabaseOptions extends SharedHubOptions, StoredSourcesOptions {
  readonly test: SourcePlace['test'];
}

/** Visits also write to their sources: a conflicting edit is retried. */
const TRIES = 5;

/** The sources of a hub in a database, as its processes watch them. The settings file is read only by the servers. */
export async function openSourceDatabase(options: SourceDatabaseOptions): Promise<SourcePlace> {
  const hub = await openSharedHub(options);
  const isRunning = isAnyAlive(await hub.processes());
  return new StoredSources(sharedKeep(hub, { isRunning, test: options.test }), options);
}

function sharedKeep(
  { store, hosts, [Symbol.asyncDispose]: close }: SharedHub,
  { isRunning, test }: Pick<SourceKeep, 'isRunning' | 'test'>,
): SourceKeep {
  return {
    isRunning,
    store,
    writable: async () => store,
    merge: keptSources,
    async edit(work) {
      for (let attempt = 1; ; attempt += 1) {
        // Later writes of others are unknown to this decision, so they make it fail.
        const { rev: expectedRev } = store.replica;
        try {
          return await work((sources) => store.putSources(sources, { expectedRev, overrules: true }));
        } catch (error) {
          if (!(error instanceof WriteRefusedError) || attempt === TRIES) throw error;
          await store.replica.current();
        }
      }
    },
    async clearPauses(source) {
      await using memory = await hosts();
      await createHostPauses({ memory, now: Date.now }).clear(sourceAsker(source));
    },
    test,
    [Symbol.asyncDispose]: close,
  };
}
