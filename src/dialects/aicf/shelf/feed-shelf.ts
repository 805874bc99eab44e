import { parseTime } from '../../../codecs/primitives/time.ts';
import { CodedError } from '../../../errors/coded-error.ts';
import type { Run } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { type FollowedBatch, LogFollower } from '../../log-follower.ts';
import type { FollowingDocuments } from '../../shelf.ts';
import { aicfLine } from '../events/aicf-line.ts';
import type { AddedLine, FeedStore, FeedVersion, FeedWrite } from './feed-store.ts';

export interface FeedShelfOptions {
  readonly store: FeedStore;
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  readonly stopping?: AbortSignal | undefined;
}

/** How many changes are read from the log before they are written. */
const FULL_LINES = 5000;
/** A line does not depend on its run, so a long run may be split and does not block other work. */
const MOST_CHANGES = 250;

/** Resolves when the feeds are repaired and up to date with the log. */
export async function openFeedShelf(options: FeedShelfOptions): Promise<FeedShelf> {
  const shelf = new FeedShelf(options);
  await shelf.mend();
  return shelf;
}

/** The AICF feeds of a hub, kept ready beside the log from which they are derived. */
export class FeedShelf implements FollowingDocuments {
  readonly #store: FeedStore;
  readonly #follower: LogFollower<{ seq: number }, FeedBatch, FeedWrite>;

  #isDisposed = false;

  /** Use {@link openFeedShelf}. */
  constructor({ store, readChanges, stopping }: FeedShelfOptions) {
    this.#store = store;
    this.#follower = new LogFollower({
      readChanges,
      stopping,
      load: async () => ({ seq: await store.load((seq, id) => hasChange(readChanges, seq, id)) }),
      begin: () => new FeedBatch(),
      mostChanges: MOST_CHANGES,
      store: (step) => store.write(step),
      settle: () => store.settle(),
      isExpected: (error) => store.isExpected(error),
    });
    store.onDoubt = () => this.#follower.forget();
  }

  get seq(): number {
    return this.#follower.seq;
  }

  get trouble(): string | undefined {
    return this.#follower.trouble;
  }

  /** Undefined if the feed has no line yet. Touches no database and no disk. */
  find(name: string): FeedVersion | undefined {
    return this.#store.find(name);
  }

  async add(changes: readonly Change[]): Promise<void> {
    await this.#follower.add(changes);
    // A write may have found its file shorter than it left it.
    if (this.#store.isInDoubt) await this.#follower.mend();
  }

  mend(): Promise<void> {
    return this.#follower.mend();
  }

  /** Resolves when everything in the log is written and on disk; otherwise throws the reason. */
  async secure(): Promise<void> {
    await this.#catchUp();
    await this.#store.secure();
  }

  /** Like `secure`; from then on it takes nothing more. */
  async finish(): Promise<void> {
    await this.#catchUp();
    await this.#store.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#follower.close();
    await this.#store[Symbol.asyncDispose]();
  }

  async #catchUp(): Promise<void> {
    await this.mend();
    if (this.trouble !== undefined) throw feedsBehindError(this.trouble);
  }
}

class FeedBatch implements FollowedBatch<FeedWrite> {
  readonly #lines: AddedLine[] = [];

  get isFull(): boolean {
    return this.#lines.length >= FULL_LINES;
  }

  addRun({ changes }: Run): void {
    for (const change of changes) {
      const { source, seq, id, time } = change;
      this.#lines.push({ source, seq, id, timeMs: parseTime(time) ?? 0, text: aicfLine(change) });
    }
  }

  finish(): FeedWrite | undefined {
    const last = this.#lines.at(-1);
    return last && { seq: last.seq, id: last.id, lines: this.#lines };
  }
}

function feedsBehindError(reason: string): CodedError {
  return new CodedError('FeedsBehindError', 'retry-later', `The feeds of AICF lag behind the log: ${reason}`);
}

/** If the log was restored to an earlier state, or is another one, nothing derived from it counts. */
export async function hasChange(
  readChanges: FeedShelfOptions['readChanges'],
  seq: number,
  id: string,
): Promise<boolean> {
  for await (const change of readChanges(seq - 1)) return change.seq === seq && change.id === id;
  return false;
}
