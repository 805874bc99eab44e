import { join } from 'node:path';
import type { FeedShelf, FeedVersion } from '../../dialects/aicf/shelf/feed-shelf.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { EncodedDocument } from '../../hub/http/answer-document.ts';
import { ByteCache } from '../../hub/http/byte-cache.ts';
import type { Change } from '../../model/change.ts';
import { makeFolder } from '../files/make-folder.ts';
import { FileFeed } from './feed.ts';
import { growFeeds } from './feed-growth.ts';
import { type FeedMarks, readFeedMarks, removeFeedMarks, writeFeedMarks } from './feed-marks.ts';
import { adoptMarks, cutFeedFiles, syncFeeds } from './feed-mending.ts';

export interface FileFeedShelfOptions {
  /** Its own: files in it that are no feed of the log are removed. */
  readonly folder: string;
  /** The log behind that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  readonly cacheBytes?: number;
  readonly now?: () => number;
}

const CACHE_BYTES = 64 * 1024 * 1024;
/** So many changes are read from the log before they are written. */
const BATCH = 10_000;
/** More are not held in memory while they wait: the log has them. */
const MAX_PENDING = 20_000;
/** The marks are written again behind so many changes, or with the first one after so long. */
const MARKS_EVERY_CHANGES = 5000;
const MARKS_EVERY_MS = 60_000;

/** Resolves when the feeds are mended and stand where the log does. */
export async function openFileFeedShelf(options: FileFeedShelfOptions): Promise<FileFeedShelf> {
  const shelf = new FileFeedShelf(options);
  await shelf.load();
  return shelf;
}

/**
 * The feeds as files that only grow: `_all.ndjson`, `<source>.ndjson`.
 *
 * Nothing is synced when it is written, for everything here can be derived from the log again, byte for byte. `marks` says
 * how far each file could be trusted when it was written; on opening, what stands behind a mark is cut, what is not as
 * its mark says is written again, and what the log has more is added.
 */
export class FileFeedShelf implements FeedShelf {
  readonly #options: FileFeedShelfOptions;
  readonly #marksFile: string;
  readonly #cache: ByteCache;
  readonly #feeds = new Map<string, FileFeed>();
  readonly #making = new Map<string, Promise<EncodedDocument | undefined>>();
  /** Their files did not give what was written to them. */
  readonly #suspects = new Set<FileFeed>();
  #pending: Change[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #seq = 0;
  #lastId = '';
  #behind = false;
  #trouble: string | undefined;
  #changesSinceMarks = 0;
  #marksAtMs = 0;
  #open = true;

  /** Use {@link openFileFeedShelf}. */
  constructor(options: FileFeedShelfOptions) {
    this.#options = options;
    this.#marksFile = join(options.folder, 'marks');
    this.#cache = new ByteCache(options.cacheBytes ?? CACHE_BYTES);
  }

  get seq(): number {
    return this.#seq;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  find(name: string): FeedVersion | undefined {
    return this.#feeds.get(name)?.version;
  }

  /** The id in the last line of a feed. */
  lastIdOf(name: string): string | undefined {
    return this.#feeds.get(name)?.mark.written.lastId || undefined;
  }

  /**
   * Takes the changes of a commit, in order of `seq`, and resolves when the new versions can be found. A feed that cannot
   * be written keeps its last version and catches up with the next `add` or `mend`; `trouble` says why. Once the shelf is
   * closed it takes nothing more: the next opening finds it in the log.
   */
  async add(changes: readonly Change[]): Promise<void> {
    if (!this.#open) return;
    if (this.#pending.length + changes.length > MAX_PENDING) {
      this.#pending = [];
      this.#behind = true;
    } else {
      for (const change of changes) this.#pending.push(change);
    }
    await this.#inTurn(() => this.#takePending());
  }

  /** Looks again at feeds whose files could not be read, and takes over all that the log has more. */
  async mend(): Promise<void> {
    if (!this.#open) return;
    this.#behind = true;
    await this.#inTurn(() => this.#takePending());
  }

  /** For {@link openFileFeedShelf}. */
  async load(): Promise<void> {
    const marks = await readFeedMarks(this.#marksFile);
    const known = marks !== undefined && (await this.#isOfThisLog(marks)) ? marks : undefined;
    if (known !== undefined) {
      this.#seq = known.seq;
      this.#lastId = known.id;
      for (const feed of await adoptMarks(known, (name) => this.#feedOf(name))) await this.#startAgain(feed);
    } else if (marks !== undefined) {
      await this.#tolerate(() => removeFeedMarks(this.#marksFile));
    }
    await this.#catchUp();
    if (this.#behind) return;
    await this.#tolerate(() => cutFeedFiles(this.#options.folder, this.#feeds));
    if (this.#changesSinceMarks > 0) await this.#saveMarks(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#turn;
    const feeds = [...this.#feeds.values()];
    for (const feed of feeds) await feed.stop();
    await this.#saveMarks(await syncFeeds(feeds, this.#now));
  }

  /** Where the log was put back to an earlier state, or is another one, nothing that was derived from it counts. */
  async #isOfThisLog({ seq, id, feeds }: FeedMarks): Promise<boolean> {
    if (seq === 0) return feeds.length === 0;
    for await (const change of this.#options.readChanges(seq - 1)) return change.seq === seq && change.id === id;
    return false;
  }

  async #takePending(): Promise<void> {
    await this.#checkSuspects();
    const changes = this.#pending.filter((change) => change.seq > this.#seq);
    this.#pending = [];
    if (!this.#behind && isUnbroken(changes, this.#seq)) await this.#write(changes);
    else if (this.#behind || changes.length > 0) await this.#tolerate(() => this.#catchUp());
    // A write may have found its file shorter than it left it.
    if (await this.#checkSuspects()) await this.#tolerate(() => this.#catchUp());

    if (this.#changesSinceMarks === 0) return;
    const isDue = this.#now() - this.#marksAtMs >= MARKS_EVERY_MS || this.#changesSinceMarks >= MARKS_EVERY_CHANGES;
    if (isDue) await this.#saveMarks(false);
  }

  /** Whether one of them must be written anew. */
  async #checkSuspects(): Promise<boolean> {
    let found = false;
    await this.#tolerate(async () => {
      for (const feed of [...this.#suspects]) {
        const isWhole = await feed.isWhole();
        this.#suspects.delete(feed);
        if (isWhole) continue;
        await this.#startAgain(feed);
        found = true;
      }
    });
    return found;
  }

  /** Reads the log from where all feeds stand, and stops where one of them cannot be written or the shelf is closed. */
  async #catchUp(): Promise<void> {
    this.#behind = true;
    await this.#tolerate(async () => makeFolder(this.#options.folder));
    let batch: Change[] = [];
    for await (const change of this.#options.readChanges(this.#seq)) {
      batch.push(change);
      if (batch.length < BATCH) continue;
      if (!(await this.#write(batch)) || !this.#open) return;
      batch = [];
    }
    if (!(await this.#write(batch))) return;
    this.#behind = false;
    this.#trouble = undefined;
  }

  /** Whether all of it was written. */
  async #write(changes: readonly Change[]): Promise<boolean> {
    const last = changes.at(-1);
    if (last === undefined) return true;
    const failure = await growFeeds(changes, (name) => this.#feedOf(name));
    this.#changesSinceMarks += changes.length;
    if (failure === undefined) {
      this.#seq = last.seq;
      this.#lastId = last.id;
      return true;
    }
    this.#behind = true;
    this.#trouble = failure;
    return false;
  }

  /** Its file is written anew from the log. The marks go first: they would speak of bytes that are not there. */
  async #startAgain(feed: FileFeed): Promise<void> {
    await this.#tolerate(() => removeFeedMarks(this.#marksFile));
    await feed.startAgain();
    this.#seq = 0;
    this.#lastId = '';
    this.#behind = true;
  }

  /** Where they cannot be written, the old ones hold: the next opening has more to catch up with. */
  async #saveMarks(synced: boolean): Promise<void> {
    if (this.#behind) return;
    this.#changesSinceMarks = 0;
    this.#marksAtMs = this.#now();
    const feeds = [...this.#feeds.values()].map((feed) => feed.mark);
    try {
      await writeFeedMarks(this.#marksFile, { seq: this.#seq, id: this.#lastId, synced, feeds });
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  }

  #feedOf(name: string): FileFeed {
    const known = this.#feeds.get(name);
    if (known !== undefined) return known;
    const feed: FileFeed = new FileFeed(join(this.#options.folder, name), name, {
      cache: this.#cache,
      making: this.#making,
      onDistrust: (distrusted) => this.#suspects.add(distrusted),
    });
    this.#feeds.set(name, feed);
    return feed;
  }

  async #tolerate(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (this.#behind) this.#trouble = error.message;
    }
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  get #now(): () => number {
    return this.#options.now ?? Date.now;
  }
}

/** Whether they follow directly on what is there. */
function isUnbroken(changes: readonly Change[], seq: number): boolean {
  return changes.every((change, index) => change.seq === seq + 1 + index);
}

/** What the disk or the log says, as against a bug. */
function isExpected(error: unknown): error is Error {
  return error instanceof TidingsError || (error instanceof Error && 'code' in error);
}
