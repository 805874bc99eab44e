import { piecesOf } from '../../codecs/primitives/pieces-of.ts';
import { sourceExistsError, sourceFixedError, sourceUnknownError } from '../../errors/refusals.ts';
import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { pausedHealth, resumedHealth } from '../health/health-after.ts';
import { startDelayMs } from '../schedule/rhythm.ts';
import type { CheckRecord, HubStore, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import { SourceTurns } from './source-turns.ts';
import type { ResumeOptions, Watch } from './watch-port.ts';
import { addedSource, changedSource, keptSources, mergeSources, type SourceMerge } from './watch-sources.ts';
import { SourceVisits, type SourceVisitsOptions, type WatchEntry } from './watch-visits.ts';
import { WatchWriter } from './watch-writer.ts';

export interface WatchOptions extends SourceVisitsOptions {
  readonly store: Pick<HubStore, 'sources' | 'putSources' | 'removeSource' | 'recordChecks' | 'checksOf' | 'putFact'>;
  /** The sources of the config. Absent: the store knows all sources. */
  readonly configured?: readonly SourceConfig[] | undefined;
  /** Called at once with the watch, which has to learn what other processes write to the same store. */
  readonly followOthers?: ((watch: AdoptingWatch) => void) | undefined;
  /** See {@link WatchWriter}. */
  readonly isPrompt?: boolean | undefined;
  readonly test: (config: SourceConfig, signal: AbortSignal) => Promise<VisitOutcome>;
  /** Ends the pauses that keep a source from its hosts. */
  readonly clearPauses?: (config: SourceConfig) => Promise<void>;
}

/** Takes over what other processes wrote, as it is in the store by then. */
export interface AdoptingWatch {
  adopt(source: WatchedSource): void;
  forgotten(id: string): void;
}

export interface RunningWatch extends Watch, AdoptingWatch {
  /**
   * Starts nothing new, asks running visits to end, waits at most 8 s for them, and stores the last checks. After that the store is not touched any more. A
   * visit that did not end is repeated after the next start.
   */
  stop(): Promise<void>;
}

/** At a start, other work gets its turn after this many sources. */
const SOURCES_AT_ONCE = 200;
/** An edit that other processes overtake this often fails. */
const MOST_EDITS = 10;

/** Watches the sources of the store and of the config until it is stopped. */
export async function startWatch(options: WatchOptions): Promise<RunningWatch> {
  const { store, configured, allowPrivate } = options;
  const nowMs = options.now();
  const stored = await store.sources();
  const watch = new HubWatch(options);
  options.followOthers?.(watch);
  await watch.begin(
    configured === undefined ? keptSources(stored) : mergeSources(stored, configured, { nowMs, allowPrivate }),
    nowMs,
  );
  return watch;
}

class HubWatch implements RunningWatch {
  readonly #options: WatchOptions;
  readonly #entries = new Map<string, WatchEntry>();
  readonly #dropped = new Map<string, WatchedSource>();
  readonly #visits: SourceVisits;
  readonly #writer: WatchWriter;
  readonly #turns = new SourceTurns();
  /** In order of id. */
  #sorted: readonly WatchEntry[] | undefined;
  #stopping: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#writer = new WatchWriter({ ...options, healthOf: (id) => this.source(id)?.health });
    this.#visits = new SourceVisits(this.#entries, this.#writer, options);
  }

  get unwritable(): string | undefined {
    return this.#writer.unwritable;
  }

  /** Starts even if the store refuses the changes of the config: they are written as soon as it accepts them. */
  async begin({ sources, remove, put, drop, dropped, events }: SourceMerge, nowMs: number): Promise<void> {
    const { store, onEvent } = this.#options;
    for (const source of sources) this.#enter(source);
    for (const source of dropped) this.#dropped.set(source.config.id, source);
    await this.#writer.writeAll([
      async () => {
        const left = drop.filter(({ config }) => this.#dropped.has(config.id));
        if (left.length > 0) await store.putSources(left);
      },
      ...remove.map((id) => () => store.removeSource(id)),
      ...piecesOf(put, SOURCES_AT_ONCE).map((some) => async () => {
        await this.#again(async () => {
          const entries = some.flatMap(({ config }) => this.source(config.id) ?? []);
          if (entries.length > 0) await store.putSources(entries);
        });
        await othersFirst();
      }),
    ]);
    for (const some of piecesOf(events, SOURCES_AT_ONCE)) {
      for (const event of some) onEvent(event);
      await othersFirst();
    }
    for (const some of piecesOf(sources, SOURCES_AT_ONCE)) {
      for (const source of some) {
        if (source.paused === undefined) this.#visits.plan(source, startDelayMs(source.health, nowMs, this.#options));
      }
      await othersFirst();
    }
  }

  sources(): readonly WatchedSource[] {
    this.#sorted ??= [...this.#entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
    return this.#sorted.map(({ source }) => source);
  }

  source(id: string): WatchedSource | undefined {
    return this.#entries.get(id)?.source;
  }

  add(configs: readonly SourceConfig[], whose: Pick<WatchedSource, 'owner'> = {}): Promise<readonly WatchedSource[]> {
    const ids = configs.map(({ id }) => id);
    return this.#turns.take(ids, async () => {
      const sources = await this.#again(() => this.#putNew(configs, whose));
      for (const source of sources) {
        this.#dropped.delete(source.config.id);
        this.#enter(source);
        this.#options.onEvent({ is: 'added', source });
        if (source.paused === undefined) this.#visits.plan(source, 0);
      }
      return sources;
    });
  }

  change(config: SourceConfig): Promise<WatchedSource> {
    const { id } = config;
    return this.#turns.take([id], async () => {
      const before = this.#known(id).source;
      if (before.origin === 'config') throw sourceFixedError(id);
      const nowMs = this.#options.now();
      const options = { nowMs, allowPrivate: this.#options.allowPrivate };
      const { isReadAnew } = changedSource(before, config, options);
      const entry = await this.#edit(id, (source) => changedSource(source, config, options).source);
      // A running visit still uses the old settings.
      if (entry.visit !== undefined && isReadAnew) entry.visit.isOverruled = true;
      this.#options.onEvent({ is: 'replaced', source: entry.source });
      const { paused, health } = entry.source;
      const isPlannedByVisit = entry.visit !== undefined && !isReadAnew;
      if (paused === undefined && !isPlannedByVisit)
        this.#visits.plan(entry.source, Math.max(0, health.dueAtMs - nowMs));
      return entry.source;
    });
  }

  pause(id: string, reason: string, by?: WatchedSource['pausedBy']): Promise<WatchedSource> {
    return this.#turns.take([id], async () => {
      const atMs = this.#options.now();
      const entry = await this.#edit(id, ({ pausedBy: _pausedBy, ...source }) => ({
        ...source,
        paused: reason,
        ...(by !== undefined && { pausedBy: by }),
        health: pausedHealth(source.health, atMs),
      }));
      this.#visits.forget(id);
      entry.visit?.abort.abort();
      this.#options.onEvent({ is: 'paused', source: entry.source });
      return entry.source;
    });
  }

  resume(id: string, { allowDeletes, keepsHostPauses = false }: ResumeOptions): Promise<WatchedSource> {
    return this.#turns.take([id], async () => {
      const { now, clearPauses } = this.#options;
      const atMs = now();
      if (!keepsHostPauses) await clearPauses?.(this.#known(id).source.config);
      const entry = await this.#edit(id, ({ paused: _paused, pausedBy: _pausedBy, ...source }) => ({
        ...source,
        ...(allowDeletes && { allowDeletes }),
        health: keepsHostPauses ? { ...source.health, dueAtMs: atMs } : resumedHealth(source.health, atMs),
      }));
      if (entry.visit !== undefined) entry.visit.isOverruled = true;
      entry.isAsked = true;
      this.#options.onEvent({ is: 'resumed', source: entry.source });
      this.#visits.plan(entry.source, 0);
      return entry.source;
    });
  }

  hasten(id: string, floorMs: number): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined && this.#stopping === undefined) this.#visits.hasten(entry, floorMs);
  }

  remove(id: string): Promise<void> {
    let visit: WatchEntry['visit'];
    const removal = async () => {
      const entry = this.#known(id);
      if (entry.source.origin === 'config') throw sourceFixedError(id);
      visit = entry.visit;
      await this.#writer.writeNow(() => this.#options.store.removeSource(id));
      this.forgotten(id);
    };
    // A visit may have stored pages after the removal. Adding the id again waits until they are gone too.
    return this.#turns.take([id], removal, async () => {
      await visit?.ended;
      if (visit === undefined || this.#isStopped) return;
      await this.#writer.writeAll([
        async () => {
          if (!this.#entries.has(id)) await this.#options.store.removeSource(id);
        },
      ]);
    });
  }

  async test(config: SourceConfig, signal: AbortSignal): Promise<VisitOutcome> {
    await this.#options.clearPauses?.(config);
    const outcome = await this.#options.test(config, signal);
    const entry = this.#entries.get(config.id);
    // The old pause is over, and the test may have met a new one.
    const wasPaused = entry?.source.health.pause !== undefined && entry.source.paused === undefined;
    if (wasPaused && outcome.is === 'read') await this.resume(config.id, { allowDeletes: false });
    return outcome;
  }

  async checksOf(id: string, limit: number): Promise<readonly CheckRecord[]> {
    this.#known(id);
    const waiting = this.#writer.waitingOf(id);
    const stored = await this.#options.store.checksOf(id, limit);
    const written = new Set(stored.map(({ atMs }) => atMs));
    return [...waiting.filter(({ atMs }) => !written.has(atMs)), ...stored].slice(0, limit);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#visits.stop();
    await this.#writer.close();
    this.#isStopped = true;
  }

  adopt(source: WatchedSource): void {
    const { id } = source.config;
    if (source.dropped) {
      this.#dropped.set(id, source);
      this.#leave(id);
      return;
    }
    this.#dropped.delete(id);
    const { visit } = this.#enter(source);
    if (source.paused !== undefined) {
      this.#visits.forget(id);
      visit?.abort.abort();
    } else if (visit === undefined) {
      this.#visits.plan(source, Math.max(0, source.health.dueAtMs - this.#options.now()));
    }
    this.#options.onEvent({ is: 'adopted', source });
  }

  forgotten(id: string): void {
    this.#dropped.delete(id);
    this.#leave(id);
  }

  /** The edit is made again after the write, on what the source has become in the meantime. */
  #edit(id: string, edit: (source: WatchedSource) => WatchedSource): Promise<WatchEntry> {
    return this.#again(async () => {
      const entry = this.#known(id);
      await this.#writer.writeNow(() => this.#options.store.putSources([edit(entry.source)]));
      entry.source = edit(entry.source);
      return entry;
    });
  }

  async #putNew(configs: readonly SourceConfig[], whose: Pick<WatchedSource, 'owner'>) {
    const existing = configs.find(({ id }) => this.#entries.has(id));
    if (existing !== undefined) throw sourceExistsError(existing.id);
    const { store, now, allowPrivate } = this.#options;
    const added = configs.map((config) =>
      addedSource(config, this.#dropped.get(config.id), { nowMs: now(), allowPrivate }),
    );
    const sources = added.map(({ source }) => ({ ...source, ...whose }));
    await this.#writer.writeNow(async () => {
      for (const { source, isAnew } of added) if (isAnew) await store.removeSource(source.config.id);
      await store.putSources(sources);
    });
    return sources;
  }

  /** Repeats the write on top of what other processes wrote first, which is known by then. */
  async #again<T>(write: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await write();
      } catch (error) {
        const isOvertaken = error instanceof WriteRefusedError && error.refused === 'overtaken';
        if (!isOvertaken || tries === MOST_EDITS) throw error;
      }
    }
  }

  #known(id: string): WatchEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw sourceUnknownError(id);
    return entry;
  }

  /** Work on it continues. */
  #enter(source: WatchedSource): WatchEntry {
    const { id } = source.config;
    const known = this.#entries.get(id);
    if (known !== undefined) {
      known.source = source;
      return known;
    }
    const entry = { source, visit: undefined, refusals: 0, tookMs: 0, isAsked: false };
    this.#entries.set(id, entry);
    this.#sorted = undefined;
    return entry;
  }

  #leave(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#sorted = undefined;
    this.#visits.forget(id);
    this.#writer.drop(id);
    entry.visit?.abort.abort();
    this.#options.onEvent({ is: 'removed', source: entry.source });
  }
}
