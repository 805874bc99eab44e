import { sourceExistsError, sourceFixedError, sourceUnknownError } from '../errors/refusals.ts';
import { ruledSource } from '../hub/config/decode-source.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { pausedHealth, resumedHealth } from '../hub/health/health-after.ts';
import { type RetrustView, type SourceView, viewSource } from '../hub/routes/source-view.ts';
import type { WatchedSource } from '../hub/store/hub-store.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import { addedSource, type MergeOptions, type SourceMerge } from '../hub/watch/watch-sources.ts';
import { readRunStandings } from '../io/sqlite/runs.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { GivenRules } from '../model/given-rules.ts';
import type { SourcePlace } from './source-place.ts';

/** Where sources are stored: the data folder of a hub that is not running, or a database that several processes share. */
export interface SourceKeep extends AsyncDisposable {
  /** Whether writes take effect at once. */
  readonly isRunning: boolean;
  /** Undefined if there is no hub yet. */
  readonly store: WholeHubStore | undefined;
  /** The store for writing. Created if there is none. */
  writable(): Promise<WholeHubStore>;
  /** Merges the stored sources into what is watched. */
  merge(stored: readonly WatchedSource[], options: MergeOptions): SourceMerge;
  /** Reads the sources and writes the result. Repeats this if somebody else has written meanwhile. */
  edit<T>(work: (put: (sources: readonly WatchedSource[]) => Promise<void>) => Promise<T>): Promise<T>;
  /** Ends the pauses that keep a source from its hosts. */
  clearPauses(source: SourceConfig): Promise<void>;
  test(source: SourceConfig): Promise<VisitOutcome>;
}

export interface StoredSourcesOptions {
  readonly allowPrivate: boolean;
  /** The file with the sources of the settings. */
  readonly configFile?: string | undefined;
  readonly now: () => number;
}

const DEFAULT_REASON = 'paused by the operator';

/** Stored sources, without a running hub. */
export class StoredSources implements SourcePlace {
  readonly #keep: SourceKeep;
  readonly #options: StoredSourcesOptions;

  constructor(keep: SourceKeep, options: StoredSourcesOptions) {
    this.#keep = keep;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#keep.isRunning;
  }

  async list(): Promise<readonly SourceView[]> {
    const { sources } = await this.#merged();
    const sorted = sources.toSorted((one, other) => (one.config.id < other.config.id ? -1 : 1));
    return await this.#views(sorted);
  }

  async add(sources: readonly SourceConfig[]): Promise<void> {
    await this.#keep.edit(async (put) => {
      const before = await this.#merged();
      const taken = new Set(before.sources.map(({ config }) => config.id));
      const twice = sources.find(({ id }) => taken.has(id));
      if (twice !== undefined) throw sourceExistsError(twice.id);
      const dropped = new Map(before.dropped.map((source) => [source.config.id, source]));
      const added = sources.map((source) => addedSource(source, dropped.get(source.id), this.#mergeOptions()));
      const store = await this.#keep.writable();
      for (const { source, isAnew } of added) if (isAnew) await store.removeSource(source.config.id);
      await put(added.map(({ source }) => source));
    });
  }

  rule(id: string, rules: GivenRules): Promise<SourceView> {
    return this.#change(id, (source) => {
      if (source.origin === 'config') throw sourceFixedError(id, this.#options.configFile);
      const health = { ...source.health, dueAtMs: this.#options.now() };
      return { ...source, config: ruledSource(source.config, rules), health };
    });
  }

  pause(id: string, reason = DEFAULT_REASON): Promise<SourceView> {
    return this.#change(id, (source) => {
      return { ...source, paused: reason, health: pausedHealth(source.health, this.#options.now()) };
    });
  }

  async resume(id: string, { allowDeletes }: { readonly allowDeletes: boolean }): Promise<SourceView> {
    await this.#keep.clearPauses((await this.#find(id)).config);
    return await this.#change(id, ({ paused: _paused, ...source }) => {
      const health = resumedHealth(source.health, this.#options.now());
      return { ...source, ...(allowDeletes && { allowDeletes }), health };
    });
  }

  async retrust(id: string, options: { readonly moved: boolean }): Promise<RetrustView> {
    const { config } = await this.#find(id);
    // Loaded when needed, because it imports the whole reader of a dialect.
    const { retrustFeed } = await import('./retrust-feed.ts');
    const retrusted = await retrustFeed(await this.#keep.writable())(config, options);
    const view = await this.#change(id, (source) => {
      return { ...source, health: resumedHealth(source.health, this.#options.now()) };
    });
    return { ...view, retrusted };
  }

  async remove(id: string): Promise<void> {
    const { origin } = await this.#find(id);
    if (origin === 'config') throw sourceFixedError(id, this.#options.configFile);
    await (await this.#keep.writable()).removeSource(id);
  }

  test(source: SourceConfig): Promise<VisitOutcome> {
    return this.#keep.test(source);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#keep[Symbol.asyncDispose]();
  }

  async #change(id: string, change: (source: WatchedSource) => WatchedSource): Promise<SourceView> {
    const changed = await this.#keep.edit(async (put) => {
      const changed = change(await this.#find(id));
      await put([changed]);
      return changed;
    });
    const [view] = await this.#views([changed]);
    if (view === undefined) throw sourceUnknownError(id);
    return view;
  }

  async #merged(): Promise<SourceMerge> {
    return this.#keep.merge((await this.#keep.store?.sources()) ?? [], this.#mergeOptions());
  }

  #mergeOptions(): MergeOptions {
    const { allowPrivate, now } = this.#options;
    return { nowMs: now(), allowPrivate };
  }

  async #find(id: string): Promise<WatchedSource> {
    const source = (await this.#merged()).sources.find(({ config }) => config.id === id);
    if (source === undefined) throw sourceUnknownError(id);
    return source;
  }

  /** Runs are read after the changes that they contain. */
  async #views(sources: readonly WatchedSource[]): Promise<readonly SourceView[]> {
    const { store } = this.#keep;
    const lastIds = await Promise.all(sources.map(({ config }) => store?.lastChangeIdOf(config.id)));
    const standings = store?.openTables(readRunStandings);
    return sources.map((source, at) => {
      const standing = standings?.get(source.config.id);
      const news = { lastChangeIdOf: () => lastIds[at], standingOf: () => standing };
      return viewSource(source, news, this.#options.now());
    });
  }
}
