import { parseTime } from '../../../codecs/primitives/time.ts';
import { ByteCache } from '../../../hub/http/byte-cache.ts';
import { othersFirst } from '../../../log/others-first.ts';
import { isRecovered } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { LogFollower } from '../../log-follower.ts';
import type { FollowingDocuments, KeptArchives, ShelfDocument, SourceStanding } from '../../shelf.ts';
import type { StepRelay } from '../../step-relay.ts';
import type { RunFeedRecord } from './feed-record.ts';
import { RunBatch } from './run-batch.ts';
import { isOutdated, loadRunState, type RunState, type RunWorld } from './run-state.ts';
import type { RunWrite } from './run-store.ts';
import type { RunVersion } from './run-version.ts';
import { ServedRun } from './served-run.ts';

export interface RunShelfOptions extends RunWorld {
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  /** The ids of all watched sources. */
  readonly sources: () => Iterable<string>;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stopping?: AbortSignal | undefined;
  readonly relay?: StepRelay<RunWrite> | undefined;
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const RESTATE_EVERY_MS = 1000;
/** A larger feed would take too long to make and to read. */
const MOST_CHANGES = 1000;

/** Resolves when the files are up to date with the log and the sources. By then `sourceOf` must know all sources. */
export async function openRunShelf(options: RunShelfOptions): Promise<RunShelf> {
  const shelf = new RunShelf(options);
  await shelf.open();
  return shelf;
}

/**
 * The DiffDelta files of a hub, kept up to date with the log that they are derived from.
 *
 * `find` touches neither database nor disk. A version is served only after it is stored, so a cursor, an archive or an ETag never
 * stands for other bytes, not even after a crash.
 */
export class RunShelf implements FollowingDocuments {
  readonly #options: RunShelfOptions;
  readonly #follower: LogFollower<RunState, RunBatch, RunWrite>;
  readonly #cache: ByteCache;
  readonly #served = new Map<string, ServedRun>();
  #outdated = new Set<string>();
  #isAllOutdated = true;
  #restating: Promise<void> | undefined;
  #restatedAtMs = Number.NEGATIVE_INFINITY;

  /** Use {@link openRunShelf}. */
  constructor(options: RunShelfOptions) {
    this.#options = options;
    this.#cache = new ByteCache(options.cacheBytes ?? CACHE_BYTES);
    const world: RunWorld = { ...options, onRun: (source) => this.#noteRun(source) };
    this.#follower = new LogFollower({
      readChanges: options.readChanges,
      stopping: options.stopping,
      relay: options.relay,
      load: () => this.#load(),
      begin: (state) => new RunBatch(state, world),
      mostChanges: MOST_CHANGES,
      // Each change makes two new feeds.
      changesAtOnce: 1,
      skips: isRecovered,
      more: (state) => this.#restatements(state),
      store: (step) => this.#store(step),
      show: (step) => this.#show(step),
    });
  }

  get seq(): number {
    return this.#follower.seq;
  }

  get trouble(): string | undefined {
    return this.#follower.trouble;
  }

  /** By the id of a source, or `_global`. Undefined for an unknown source. */
  find(name: string): RunVersion | undefined {
    const served = this.#served.get(name);
    if (served !== undefined) served.wasFound = true;
    return served;
  }

  /** Like `find`, for callers that need no file. Returns the same object as long as the version is the same. */
  standingOf(name: string): SourceStanding | undefined {
    return this.#served.get(name);
  }

  /** The bytes of an archive, by its path without the leading slash: `archive/docs/2026/02/05/….json`. */
  async archive(path: string): Promise<Uint8Array | 'gone' | undefined> {
    const { store } = this.#options;
    return (await store.archive(path)) ?? (store.hasEnded(path) ? 'gone' : undefined);
  }

  /** The archives made since the first change after that `seq`. */
  async *documentsSince(seq: number): AsyncGenerator<ShelfDocument, void, undefined> {
    const { store, readChanges } = this.#options;
    const sinceMs = parseTime((await firstOf(readChanges(seq)))?.time ?? '');
    if (sinceMs === undefined) return;
    for (const path of store.archivePaths(sinceMs)) {
      const bytes = await store.archive(path);
      if (bytes !== undefined) yield { path, bytes, lasts: true };
      await othersFirst();
    }
  }

  /** Deletes archives that need not be kept. Archives that a current feed leads to stay. */
  async endArchives(kept: KeptArchives): Promise<number> {
    const { store, root } = this.#options;
    const point = await store.endOfArchives(kept);
    if (point === undefined) return 0;
    const named = new Set<string>();
    for (const { name } of store.feeds()) {
      const { archive_url: own, prev_archive_url: before } = (await store.feed(name)) ?? {};
      for (const url of [own, before]) if (url !== undefined) named.add(url.slice(root.length));
      await othersFirst();
    }
    return await store.endArchives(point, named);
  }

  /** For {@link openRunShelf}. */
  open(): Promise<void> {
    return this.#follower.open();
  }

  add(changes: readonly Change[]): Promise<void> {
    return this.#follower.add(changes);
  }

  mend(): Promise<void> {
    return this.#follower.mend();
  }

  /**
   * Announces that the status of sources may have changed: checked, paused, resumed, added, removed. Resolves when their files show
   * it. Files are rewritten for this at most once a second.
   */
  async restate(ids: Iterable<string>): Promise<void> {
    // Only the process that makes the files does this. Its successor looks at all sources first.
    if (!this.#follower.isOpen || !this.#follower.isMaker) return;
    const state = this.#follower.restingState;
    for (const id of ids) {
      if (state === undefined || isOutdated(id, state, this.#options)) this.#outdated.add(id);
      else this.#noteLastOk(id, state);
    }
    if (this.#outdated.size === 0) return;
    this.#restating ??= this.#restateSoon();
    await this.#restating;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#follower.close();
  }

  #load(): RunState {
    const state = loadRunState(this.#options);
    this.#isAllOutdated = true;
    for (const record of state.records.values()) {
      if (!this.#served.has(record.name)) this.#served.set(record.name, this.#serve(record));
    }
    return state;
  }

  /** Immediately if the last restatement is at least a second ago. */
  async #restateSoon(): Promise<void> {
    const { now, wait } = this.#options;
    const leftMs = Math.min(this.#restatedAtMs + RESTATE_EVERY_MS - now(), RESTATE_EVERY_MS);
    await (leftMs > 0 ? wait(leftMs, this.#follower.closing) : undefined);
    this.#restating = undefined;
    if (this.#outdated.size > 0) await this.#follower.takeTurn();
  }

  /** Storing it is not urgent, but a source that is removed takes its health with it. */
  #noteLastOk(id: string, state: RunState): void {
    const record = state.records.get(id);
    const lastOkMs = this.#options.sourceOf(id)?.health.lastOkMs;
    if (record !== undefined && lastOkMs !== undefined) state.records.set(id, { ...record, lastOkMs });
  }

  /** A run of a source that nobody checks is the last one for now, so its status is restated after it. */
  #noteRun(id: string): void {
    const source = this.#options.sourceOf(id);
    if (source === undefined || source.status === 'disabled') this.#outdated.add(id);
  }

  /** Restates the status of outdated sources, after their newest runs. */
  *#restatements(state: RunState): Generator<(batch: RunBatch) => Promise<void>, void, undefined> {
    for (const id of this.#takeOutdated(state)) {
      // A source with changes still to come is restated after its run in the next turn.
      if (this.#follower.isAwaited(id)) this.#outdated.add(id);
      else yield (batch) => batch.restate(id);
    }
  }

  #takeOutdated({ records }: RunState): Iterable<string> {
    const outdated = this.#outdated;
    this.#outdated = new Set();
    if (!this.#isAllOutdated) return outdated;
    this.#isAllOutdated = false;
    return new Set([...this.#options.sources(), ...records.keys()]);
  }

  #store(step: RunWrite): void {
    for (const { record } of step.feeds) this.#served.get(record.name)?.keepIfFound();
    this.#options.store.write(step);
  }

  #show({ feeds, seq, after }: RunWrite): void {
    if (seq === after) this.#restatedAtMs = this.#options.now();
    for (const { record } of feeds) {
      this.#served.get(record.name)?.leave();
      this.#served.set(record.name, this.#serve(record));
    }
  }

  #serve(record: RunFeedRecord): ServedRun {
    return new ServedRun(record, { store: this.#options.store, cache: this.#cache });
  }
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}
