import { sourceExistsError, sourceFixedError, sourceUnknownError } from '../errors/refusals.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { pausedHealth, resumedHealth } from '../hub/health/health-after.ts';
import { type SourceView, viewSource } from '../hub/routes/source-view.ts';
import type { HubStore, WatchedSource } from '../hub/store/hub-store.ts';
import { addedSource, mergeSources } from '../hub/watch/watch-sources.ts';
import { readRunStandings } from '../io/sqlite/runs.ts';
import { openHubFolder } from './hub-folder.ts';
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

const DEFAULT_REASON = 'paused by the operator';

/** The sources of a hub that does not run: those in its data folder, and those in its config. */
export async function openSourceStore(options: SourceStoreOptions): Promise<SourcePlace> {
  const { config, readonly, now } = options;
  const store = await openHubFolder(config.data, readonly);
  const { allowPrivate } = config;

  const merged = async () =>
    mergeSources((await store?.sources()) ?? [], config.sources, { nowMs: now(), allowPrivate });
  const watched = async (): Promise<readonly WatchedSource[]> => {
    const { sources } = await merged();
    return sources.toSorted((one, other) => (one.config.id < other.config.id ? -1 : 1));
  };
  let standings: ReturnType<typeof readRunStandings> | undefined;
  const view = async (source: WatchedSource): Promise<SourceView> => {
    const lastId = await store?.lastChangeIdOf(source.config.id);
    standings ??= store?.openTables(readRunStandings);
    const standing = standings?.get(source.config.id);
    return viewSource(source, { lastChangeIdOf: () => lastId, standingOf: () => standing }, now());
  };
  const find = async (id: string): Promise<WatchedSource> => {
    const source = (await watched()).find((candidate) => candidate.config.id === id);
    if (source === undefined) throw sourceUnknownError(id);
    return source;
  };
  const writable = (): HubStore => {
    if (store === undefined || readonly) throw new Error('The store was opened for reading.');
    return store;
  };
  const put = async (source: WatchedSource) => {
    await writable().putSources([source]);
    return view(source);
  };

  return {
    isRunning: false,

    async list() {
      return await Promise.all((await watched()).map(view));
    },

    async add(sources) {
      const before = await merged();
      const taken = new Set(before.sources.map((source) => source.config.id));
      const twice = sources.find(({ id }) => taken.has(id));
      if (twice !== undefined) throw sourceExistsError(twice.id);
      const dropped = new Map(before.dropped.map((source) => [source.config.id, source]));
      const added = sources.map((source) =>
        addedSource(source, dropped.get(source.id), { nowMs: now(), allowPrivate }),
      );
      for (const { source, isAnew } of added) if (isAnew) await writable().removeSource(source.config.id);
      await writable().putSources(added.map(({ source }) => source));
    },

    async pause(id, reason = DEFAULT_REASON) {
      const source = await find(id);
      return put({ ...source, paused: reason, health: pausedHealth(source.health, now()) });
    },

    async resume(id, { allowDeletes }) {
      const { paused: _paused, ...source } = await find(id);
      return put({ ...source, ...(allowDeletes && { allowDeletes }), health: resumedHealth(source.health, now()) });
    },

    async retrust(id, retrust) {
      const source = await find(id);
      const { retrustSource } = await import('../dialects/agent-feed/read/retrust.ts');
      const retrusted = await retrustSource(source.config, { store: writable(), now }, retrust);
      const view = await put({ ...source, health: resumedHealth(source.health, now()) });
      return { ...view, retrusted };
    },

    async remove(id) {
      const { origin } = await find(id);
      if (origin === 'config') throw sourceFixedError(id, options.configFile);
      await writable().removeSource(id);
    },

    test: options.test,

    async [Symbol.asyncDispose]() {
      await store?.[Symbol.asyncDispose]();
    },
  };
}
