import { TidingsError } from '../../../errors/tidings-error.ts';
import type { LogStart } from '../../../log/log-start.ts';
import type { Change } from '../../../model/change.ts';
import type { FollowingDocuments } from '../../shelf.ts';
import { type FeedShelf, type FeedShelfOptions, hasChange, openFeedShelf } from './feed-shelf.ts';
import type { FeedStore, FeedStores, FeedVersion } from './feed-store.ts';

export interface FeedGenerationsOptions extends Pick<FeedShelfOptions, 'readChanges' | 'stopping'> {
  readonly stores: FeedStores;
  readonly logStart: () => LogStart | undefined;
}

/** Feeds that no longer grow. */
interface EarlierFeeds extends AsyncDisposable {
  readonly seq: number;
  find(name: string): FeedVersion | undefined;
}

/** Resolves when the feeds of the newest generation are up to date with the log. */
export async function openFeedGenerations(options: FeedGenerationsOptions): Promise<FeedGenerations> {
  const { stores, readChanges, logStart, stopping } = options;
  const base = logStart()?.seq ?? 0;
  const begun = await stores.generations();
  const generation = growingGeneration(begun, base);
  const earlier = new Map<number, EarlierFeeds>();
  for (const { generation: number, base: itsBase = 0 } of begun) {
    if (number < generation) earlier.set(number, await openEarlier(stores.open(number, itsBase), readChanges));
  }
  const current = await openFeedShelf({ store: stores.open(generation, base), readChanges, stopping });
  return new FeedGenerations(options, { generation, base, current, earlier });
}

/** The generation of the growing feeds, if the log begins after `base`. */
export function growingGeneration(begun: Awaited<ReturnType<FeedStores['generations']>>, base: number): number {
  const last = begun.at(-1);
  // If marks are lost, the feeds are derived again from the start of the log.
  const isOfThisLog = last === undefined || (last.base ?? base) === base;
  return (last?.generation ?? 1) + (isOfThisLog ? 0 : 1);
}

interface Opened {
  readonly generation: number;
  readonly base: number;
  readonly current: FeedShelf;
  readonly earlier: Map<number, EarlierFeeds>;
}

/**
 * The AICF feeds of a hub across truncations of its log.
 *
 * A feed is derived from the log, and what was served of it never changes. So feeds with content that the log no longer has take no more lines, and
 * are served unchanged as long as the log still has a part of them. New feeds, under new names, begin where the log begins.
 */
export class FeedGenerations implements FollowingDocuments {
  readonly #options: FeedGenerationsOptions;
  readonly #earlier: Map<number, EarlierFeeds>;
  #generation: number;
  /** The log began after this `seq` when they were started. */
  #base: number;
  #current: FeedShelf;
  #rebegun: Promise<void> = Promise.resolve();

  /** Use {@link openFeedGenerations}. */
  constructor(options: FeedGenerationsOptions, { generation, base, current, earlier }: Opened) {
    this.#options = options;
    this.#generation = generation;
    this.#base = base;
    this.#current = current;
    this.#earlier = earlier;
  }

  /** The generation of the growing feeds, from 1. */
  get generation(): number {
    return this.#generation;
  }

  get seq(): number {
    return this.#current.seq;
  }

  get trouble(): string | undefined {
    return this.#current.trouble;
  }

  /** Undefined if the feed has no line yet, or is no longer served. Touches no database and no disk. */
  find(name: string, generation = this.#generation): FeedVersion | undefined {
    return (generation === this.#generation ? this.#current : this.#earlier.get(generation))?.find(name);
  }

  add(changes: readonly Change[]): Promise<void> {
    return this.#current.add(changes);
  }

  mend(): Promise<void> {
    return this.#current.mend();
  }

  secure(): Promise<void> {
    return this.#current.secure();
  }

  /** Feeds of a new generation take over once they are complete. Several callers may report the same truncation at once. */
  rebegin(): Promise<void> {
    const turn = this.#rebegun.then(() => this.#rebegin());
    this.#rebegun = turn.catch(() => {});
    return turn;
  }

  async #rebegin(): Promise<void> {
    const { stores, readChanges, logStart } = this.#options;
    const base = logStart()?.seq ?? 0;
    if (base === this.#base) return;
    const next = await openFeedShelf({ store: stores.open(this.#generation + 1, base), readChanges });
    const last = this.#current;
    this.#earlier.set(this.#generation, last);
    this.#generation += 1;
    this.#base = base;
    this.#current = next;
    await finish(last);
    for (const [generation, feeds] of this.#earlier) {
      if (feeds.seq > base) continue;
      this.#earlier.delete(generation);
      await feeds[Symbol.asyncDispose]();
      await stores.remove(generation);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const feeds of [...this.#earlier.values(), this.#current]) await feeds[Symbol.asyncDispose]();
  }
}

/** Feeds that were not finished in time take everything from the log and are finished now. */
async function openEarlier(store: FeedStore, readChanges: FeedShelfOptions['readChanges']): Promise<EarlierFeeds> {
  const seq = await store.load((at, id) => hasChange(readChanges, at, id));
  if (store.isFinished) {
    return { seq, find: (name) => store.find(name), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  }
  const shelf = await openFeedShelf({ store, readChanges });
  await finish(shelf);
  return shelf;
}

/** If the disk refuses it now, the next start tries again. */
async function finish(shelf: FeedShelf): Promise<void> {
  try {
    await shelf.finish();
  } catch (error) {
    if (!(error instanceof TidingsError) && !(error instanceof Error && 'code' in error)) throw error;
  }
}
