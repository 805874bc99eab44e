import { HubRunningError } from '../errors/hub-running-error.ts';
import { LogLockedError } from '../errors/log-locked-error.ts';
import { LogMissingError } from '../errors/log-missing-error.ts';
import { SourceExistsError, SourceFixedError, SourceUnknownError } from '../errors/source-error.ts';
import { pausedHealth, resumedHealth } from '../hub/health/health-after.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import type { HubStore, WatchedSource } from '../hub/hub-store.ts';
import { viewSource } from '../hub/serve/source-view.ts';
import { mergeSources, newSource } from '../hub/watch-sources.ts';
import { openSqliteHubStore } from '../io/sqlite-hub-store.ts';
import type { SourcePlace } from './source-place.ts';

export interface SourceStoreOptions {
  readonly config: HubConfig;
  /** Where the sources of the config stand. */
  readonly configFile?: string;
  /** Only look: also beside a hub that runs. */
  readonly readonly: boolean;
  readonly now: () => number;
  readonly test: SourcePlace['test'];
}

const NO_IDS = { lastChangeIdOf: () => undefined };
const DEFAULT_REASON = 'paused by the operator';

/** The sources of a hub that does not run: those in its data folder, and those in its config. */
export async function openSourceStore(options: SourceStoreOptions): Promise<SourcePlace> {
  const { config, readonly, now } = options;
  const store = await openStore(config.data, readonly);
  const { allowPrivate } = config;

  const watched = async (): Promise<readonly WatchedSource[]> => {
    const { sources } = mergeSources((await store?.sources()) ?? [], config.sources, { nowMs: now(), allowPrivate });
    return sources.toSorted((one, other) => (one.config.id < other.config.id ? -1 : 1));
  };
  const find = async (id: string): Promise<WatchedSource> => {
    const source = (await watched()).find((candidate) => candidate.config.id === id);
    if (source === undefined) throw new SourceUnknownError(id);
    return source;
  };
  const writable = (): HubStore => {
    if (store === undefined || readonly) throw new Error('The store was opened for reading.');
    return store;
  };
  const put = async (source: WatchedSource) => {
    await writable().putSources([source]);
    return viewSource(source, NO_IDS, now());
  };

  return {
    isRunning: false,

    async list() {
      return (await watched()).map((source) => viewSource(source, NO_IDS, now()));
    },

    async add(sources) {
      const taken = new Set((await watched()).map((source) => source.config.id));
      const twice = sources.find(({ id }) => taken.has(id));
      if (twice !== undefined) throw new SourceExistsError(twice.id);
      await writable().putSources(sources.map((source) => newSource(source, 'api', { nowMs: now(), allowPrivate })));
    },

    async pause(id, reason = DEFAULT_REASON) {
      const source = await find(id);
      return put({ ...source, paused: reason, health: pausedHealth(source.health, now()) });
    },

    async resume(id, { allowDeletes }) {
      const { paused: _paused, ...source } = await find(id);
      return put({ ...source, ...(allowDeletes && { allowDeletes }), health: resumedHealth(source.health, now()) });
    },

    async remove(id) {
      const { origin } = await find(id);
      if (origin === 'config') throw new SourceFixedError(id, options.configFile);
      await writable().removeSource(id);
    },

    test: options.test,

    async [Symbol.asyncDispose]() {
      await store?.[Symbol.asyncDispose]();
    },
  };
}

/** Undefined where there is nothing to read yet. */
async function openStore(folder: string, readonly: boolean): Promise<HubStore | undefined> {
  try {
    return await openSqliteHubStore({ folder, readonly });
  } catch (error) {
    if (readonly && error instanceof LogMissingError) return undefined;
    throw error instanceof LogLockedError ? new HubRunningError(folder, error) : error;
  }
}
