import { isRecovered } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { LogFollower } from '../../log-follower.ts';
import type { FollowingDocuments, KeptArchives } from '../../shelf.ts';
import type { StepRelay } from '../../step-relay.ts';
import { AtomBatch, type AtomState, type AtomWorld, loadAtomState } from './atom-batch.ts';
import type { AtomArchiveHead, AtomFeedRecord, AtomStore, AtomWrite } from './atom-store.ts';

export interface AtomShelfOptions extends AtomWorld {
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  readonly stopping?: AbortSignal | undefined;
  readonly relay?: StepRelay<AtomWrite> | undefined;
}

/** How many changes are processed before other work gets a turn. */
const CHANGES_AT_ONCE = 50;

/** Resolves when the feeds are up to date with the log. By then `sourceOf` must know all sources. */
export async function openAtomShelf(options: AtomShelfOptions): Promise<AtomShelf> {
  const shelf = new AtomShelf(options);
  await shelf.open();
  return shelf;
}

/**
 * The Atom feeds of a hub, kept up to date with the log that they are derived from.
 *
 * `find` touches no database. It returns only what is stored, so the bytes of an entry never change, not even after a crash.
 */
export class AtomShelf implements FollowingDocuments {
  readonly #store: AtomStore;
  readonly #follower: LogFollower<AtomState, AtomBatch, AtomWrite>;
  /** The stored records. */
  readonly #found = new Map<string, AtomFeedRecord>();
  readonly #collections = new Map<string, string[]>();

  /** Use {@link openAtomShelf}. */
  constructor({ readChanges, stopping, relay, ...world }: AtomShelfOptions) {
    this.#store = world.store;
    this.#follower = new LogFollower({
      readChanges,
      stopping,
      relay,
      load: () => this.#load(),
      begin: (state) => new AtomBatch(state, world),
      changesAtOnce: CHANGES_AT_ONCE,
      skips: isRecovered,
      store: (step) => this.#store.write(step),
      show: ({ feeds }) => {
        for (const record of feeds) this.#show(record);
      },
    });
  }

  /** Identifies the hub, for the ids of its feeds. */
  get identity(): string {
    return this.#store.identity();
  }

  get seq(): number {
    return this.#follower.seq;
  }

  get trouble(): string | undefined {
    return this.#follower.trouble;
  }

  /** Undefined if the feed has no entry yet. Returns the same object while nothing is new. */
  find(name: string): AtomFeedRecord | undefined {
    return this.#found.get(name);
  }

  /** All feeds that have an entry. From memory. */
  feeds(): Iterable<AtomFeedRecord> {
    return this.#found.values();
  }

  /** The names of the feeds of a source's collections: `shrine/fox`. From memory. */
  collectionsOf(source: string): readonly string[] {
    return this.#collections.get(source) ?? [];
  }

  /** The entries with the numbers from `first` to `last`, oldest first. */
  entries(feed: string, first: number, last: number): readonly string[] {
    return this.#store.entries(feed, first, last);
  }

  /** By the number of the archive, from 1. */
  archive(feed: string, number: number): AtomArchiveHead | undefined {
    return this.#store.archive(feed, number);
  }

  /** How many archives of a feed have ended: those with numbers up to this. From memory. */
  endedArchives(feed: string): number {
    return this.#store.endedArchives(feed);
  }

  endArchives(kept: KeptArchives): Promise<number> {
    return this.#store.endArchives(kept);
  }

  /** For {@link openAtomShelf}. */
  open(): Promise<void> {
    return this.#follower.open();
  }

  add(changes: readonly Change[]): Promise<void> {
    return this.#follower.add(changes);
  }

  mend(): Promise<void> {
    return this.#follower.mend();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#follower.close();
  }

  #load(): AtomState {
    const state = loadAtomState(this.#store);
    for (const record of state.records.values()) this.#show(record);
    return state;
  }

  #show(record: AtomFeedRecord): void {
    const { name, source, describes } = record;
    if (source !== undefined && describes !== undefined && !this.#found.has(name)) {
      this.#collections.set(source, [...this.collectionsOf(source), name]);
    }
    this.#found.set(name, record);
  }
}
