import { join } from 'node:path';
import { sourceExistsError, sourceFixedError, sourceUnknownError } from '../errors/refusals.ts';
import { ruledSource } from '../hub/config/decode-source.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { pausedHealth, resumedHealth } from '../hub/health/health-after.ts';
import { type RetrustView, type SourceView, viewSource } from '../hub/routes/source-view.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import { addedSource, type MergeOptions, mergeSources, type SourceMerge } from '../hub/watch/watch-sources.ts';
import type { SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { readRunStandings } from '../io/sqlite/runs.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { clearSourcePauses } from './clear-source-pauses.ts';
import { makeHubFolder, openHubFolder } from './hub-folder.ts';
import type { SourcePlace } from './source-place.ts';

export interface SourceFolderOptions {
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
export async function openSourceFolder(options: SourceFolderOptions): Promise<SourcePlace> {
  return new SourceFolder(await openHubFolder(options.config.data, options.readonly), options);
}

class SourceFolder implements SourcePlace {
  readonly isRunning = false;
  /** Undefined where there is no hub yet: the first write makes it. */
  #store: SqliteHubStore | undefined;
  readonly #options: SourceFolderOptions;
  #standings: ReturnType<typeof readRunStandings> | undefined;

  constructor(store: SqliteHubStore | undefined, options: SourceFolderOptions) {
    this.#store = store;
    this.#options = options;
  }

  async list(): Promise<readonly SourceView[]> {
    const { sources } = await this.#merged();
    const sorted = sources.toSorted((one, other) => (one.config.id < other.config.id ? -1 : 1));
    return await Promise.all(sorted.map((source) => this.#view(source)));
  }

  async add(sources: readonly SourceConfig[]): Promise<void> {
    const before = await this.#merged();
    const taken = new Set(before.sources.map(({ config }) => config.id));
    const twice = sources.find(({ id }) => taken.has(id));
    if (twice !== undefined) throw sourceExistsError(twice.id);
    const dropped = new Map(before.dropped.map((source) => [source.config.id, source]));
    const added = sources.map((source) => addedSource(source, dropped.get(source.id), this.#mergeOptions()));
    const store = await this.#writable();
    for (const { source, isAnew } of added) if (isAnew) await store.removeSource(source.config.id);
    await store.putSources(added.map(({ source }) => source));
  }

  async rule(id: string, rules: GivenRules): Promise<SourceView> {
    const source = await this.#find(id);
    if (source.origin === 'config') throw sourceFixedError(id, this.#options.configFile);
    const health = { ...source.health, dueAtMs: this.#options.now() };
    return await this.#put({ ...source, config: ruledSource(source.config, rules), health });
  }

  async pause(id: string, reason = DEFAULT_REASON): Promise<SourceView> {
    const source = await this.#find(id);
    return await this.#put({ ...source, paused: reason, health: pausedHealth(source.health, this.#options.now()) });
  }

  async resume(id: string, { allowDeletes }: { readonly allowDeletes: boolean }): Promise<SourceView> {
    const { paused: _paused, ...source } = await this.#find(id);
    await clearSourcePauses(source.config, join(this.#options.config.data, 'cache'));
    const health = resumedHealth(source.health, this.#options.now());
    return await this.#put({ ...source, ...(allowDeletes && { allowDeletes }), health });
  }

  async retrust(id: string, options: { readonly moved: boolean }): Promise<RetrustView> {
    const source = await this.#find(id);
    // Loaded when it is needed: it brings the whole reader of a dialect.
    const { retrustFeed } = await import('./retrust-feed.ts');
    const retrusted = await retrustFeed(await this.#writable())(source.config, options);
    const view = await this.#put({ ...source, health: resumedHealth(source.health, this.#options.now()) });
    return { ...view, retrusted };
  }

  async remove(id: string): Promise<void> {
    const { origin } = await this.#find(id);
    if (origin === 'config') throw sourceFixedError(id, this.#options.configFile);
    await (await this.#writable()).removeSource(id);
  }

  /** Beside a hub that runs nothing is changed: what its hosts asked for is known to it. */
  async test(source: SourceConfig): Promise<VisitOutcome> {
    const { data } = this.#options.config;
    if (!(await hasWriter(data))) await clearSourcePauses(source, join(data, 'cache'));
    return await this.#options.test(source);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]();
  }

  async #merged(): Promise<SourceMerge> {
    return mergeSources((await this.#store?.sources()) ?? [], this.#options.config.sources, this.#mergeOptions());
  }

  #mergeOptions(): MergeOptions {
    const { config, now } = this.#options;
    return { nowMs: now(), allowPrivate: config.allowPrivate };
  }

  async #find(id: string): Promise<WatchedSource> {
    const source = (await this.#merged()).sources.find(({ config }) => config.id === id);
    if (source === undefined) throw sourceUnknownError(id);
    return source;
  }

  async #put(source: WatchedSource): Promise<SourceView> {
    await (await this.#writable()).putSources([source]);
    return await this.#view(source);
  }

  async #view(source: WatchedSource): Promise<SourceView> {
    const lastId = await this.#store?.lastChangeIdOf(source.config.id);
    this.#standings ??= this.#store?.openTables(readRunStandings);
    const standing = this.#standings?.get(source.config.id);
    return viewSource(source, { lastChangeIdOf: () => lastId, standingOf: () => standing }, this.#options.now());
  }

  async #writable(): Promise<SqliteHubStore> {
    if (this.#options.readonly) throw new Error('The store was opened for reading.');
    this.#store ??= await makeHubFolder(this.#options.config.data);
    return this.#store;
  }
}
