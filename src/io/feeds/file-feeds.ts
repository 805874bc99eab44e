import { join } from 'node:path';
import type { FeedStore, FeedVersion, FeedWrite } from '../../dialects/aicf/shelf/feed-store.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { EncodedDocument } from '../../hub/http/answer-document.ts';
import { ByteCache } from '../../hub/http/byte-cache.ts';
import { makeFolder } from '../files/make-folder.ts';
import { FileFeed } from './feed.ts';
import { growFeeds } from './feed-growth.ts';
import { readFeedMarks, removeFeedMarks, writeFeedMarks } from './feed-marks.ts';
import { adoptMarks, cutFeedFiles, syncFeeds } from './feed-mending.ts';
import { ShortFileError } from './growing-file.ts';

export interface FileFeedsOptions {
  /** Its own: files in it that are no feed of the log are removed. */
  readonly folder: string;
  /** Which feeds of the folder are its own: the first ones unless said otherwise. */
  readonly generation?: number;
  /** Behind which `seq` the log begins that they are derived from; 0 unless said otherwise. */
  readonly base?: number;
  readonly cacheBytes?: number;
  /** Why the folder is no longer ours. Then nothing is written there: it may belong to others. */
  readonly lost?: () => string | undefined;
  readonly now?: () => number;
}

const CACHE_BYTES = 64 * 1024 * 1024;
/** The marks are written again after this many changes, or with the first one after this time. */
const MARKS_EVERY_CHANGES = 5000;
const MARKS_EVERY_MS = 60_000;

/**
 * The feeds as files that only grow: `_all.ndjson`, `<source>.ndjson`, of a later generation `_all-2.ndjson`.
 *
 * Writes are not synced, because everything here can be derived from the log again, byte for byte. `marks` says how far each file could be trusted when it was
 * written; on opening, anything after a mark is cut, files that differ from their mark are rewritten, and what is new in the log is added.
 */
export class FileFeeds implements FeedStore {
  onDoubt: (() => void) | undefined;
  readonly #options: FileFeedsOptions;
  readonly #generation: number;
  readonly #marksFile: string;
  readonly #cache: ByteCache;
  readonly #feeds = new Map<string, FileFeed>();
  readonly #making = new Map<string, Promise<EncodedDocument | undefined>>();
  /** Their files did not give what was written to them. */
  readonly #suspects = new Set<FileFeed>();
  #seq = 0;
  #lastId = '';
  /** What an earlier process left is not looked at yet. */
  #isUnread = true;
  /** What interrupted writes left after the feeds is not cut yet. */
  #isUncut = true;
  /** Marks would speak of feeds that are not whole. */
  #isBehind = true;
  #changesSinceMarks = 0;
  #marksAtMs = 0;
  #isFinished = false;

  constructor(options: FileFeedsOptions) {
    this.#options = options;
    this.#generation = options.generation ?? 1;
    this.#marksFile = join(options.folder, nameIn(this.#generation, 'marks'));
    this.#cache = new ByteCache(options.cacheBytes ?? CACHE_BYTES);
  }

  get isInDoubt(): boolean {
    return this.#suspects.size > 0;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  find(name: string): FeedVersion | undefined {
    return this.#feeds.get(name)?.version;
  }

  async load(isOfLog: (seq: number, id: string) => Promise<boolean>): Promise<number> {
    this.#ensureOwned();
    this.#isBehind = true;
    if (this.#isUnread) await this.#adopt(isOfLog);
    this.#isUnread = false;
    await makeFolder(this.#options.folder);
    for (const feed of [...this.#suspects]) {
      const isWhole = await feed.isWhole();
      if (!isWhole) await this.#startAgain(feed);
      this.#suspects.delete(feed);
    }
    return this.#seq;
  }

  async write({ seq, id, lines }: FeedWrite): Promise<void> {
    this.#ensureOwned();
    const failure = await growFeeds(lines, (name) => this.#feedOf(name));
    this.#changesSinceMarks += lines.length;
    if (failure !== undefined) {
      this.#isBehind = true;
      throw failure;
    }
    this.#seq = seq;
    this.#lastId = id;
  }

  async settle(): Promise<void> {
    this.#isBehind = false;
    const isFirst = this.#isUncut;
    if (isFirst)
      await tolerating(() => cutFeedFiles({ folder: this.#options.folder, generation: this.#generation }, this.#feeds));
    this.#isUncut = false;
    if (this.#changesSinceMarks === 0) return;
    const isDue = this.#now() - this.#marksAtMs >= MARKS_EVERY_MS || this.#changesSinceMarks >= MARKS_EVERY_CHANGES;
    if (isDue || isFirst) await this.#saveMarks(false);
  }

  isExpected(error: unknown): boolean {
    return isExpected(error);
  }

  async secure(): Promise<void> {
    this.#ensureOwned();
    if (this.#isBehind) throw new Error('Feeds that are not whole cannot be secured.');
    for (const feed of this.#feeds.values()) if (feed.isDirty) await feed.sync();
    await this.#writeMarks(true);
  }

  async finish(): Promise<void> {
    this.#isFinished = true;
    await this.secure();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const feeds = [...this.#feeds.values()];
    for (const feed of feeds) await feed.stop();
    if (this.#isFinished || this.#options.lost?.() !== undefined) return;
    await this.#saveMarks(await syncFeeds(feeds, this.#now));
  }

  #ensureOwned(): void {
    const lost = this.#options.lost?.();
    if (lost !== undefined) throw new LogUnavailableError(this.#options.folder, new Error(lost));
  }

  /** Takes over what an earlier process wrote, if it belongs to this log. */
  async #adopt(isOfLog: (seq: number, id: string) => Promise<boolean>): Promise<void> {
    const marks = await readFeedMarks(this.#marksFile);
    if (marks === undefined) return;
    const { seq, id, feeds, finished = false } = marks;
    this.#isFinished = finished;
    // Finished feeds are no longer derived from the log, which may begin after them.
    const isKnown = finished || (seq === 0 ? feeds.length === 0 : await isOfLog(seq, id));
    if (!isKnown) return tolerating(() => removeFeedMarks(this.#marksFile));
    this.#seq = seq;
    this.#lastId = id;
    for (const feed of await adoptMarks(marks, (name) => this.#feedOf(name))) {
      // The log may no longer have it: an incomplete feed is not shown.
      if (finished) this.#feeds.delete(feed.name);
      else await this.#startAgain(feed);
    }
  }

  /** Rewrites its file from the log. The marks are removed first: they would describe missing bytes. */
  async #startAgain(feed: FileFeed): Promise<void> {
    await tolerating(() => removeFeedMarks(this.#marksFile));
    await feed.startAgain();
    this.#seq = 0;
    this.#lastId = '';
  }

  /** Where they cannot be written, the old ones hold: the next opening has more to catch up with. */
  async #saveMarks(synced: boolean): Promise<void> {
    if (this.#isBehind) return;
    await tolerating(() => this.#writeMarks(synced));
  }

  async #writeMarks(synced: boolean): Promise<void> {
    this.#changesSinceMarks = 0;
    this.#marksAtMs = this.#now();
    const feeds = [...this.#feeds.values()].map((feed) => feed.mark);
    const finished = this.#isFinished && { finished: true as const };
    const base = this.#options.base ?? 0;
    await writeFeedMarks(this.#marksFile, { seq: this.#seq, id: this.#lastId, base, synced, ...finished, feeds });
  }

  #feedOf(name: string): FileFeed {
    const known = this.#feeds.get(name);
    if (known !== undefined) return known;
    const feed: FileFeed = new FileFeed(join(this.#options.folder, nameIn(this.#generation, name)), name, {
      cache: this.#cache,
      making: this.#making,
      onDistrust: (distrusted) => {
        this.#suspects.add(distrusted);
        this.onDoubt?.();
      },
    });
    this.#feeds.set(name, feed);
    return feed;
  }

  get #now(): () => number {
    return this.#options.now ?? Date.now;
  }
}

/** Ids of sources have no hyphen. */
export function nameIn(generation: number, name: string): string {
  return generation === 1 ? name : `${name}-${generation}`;
}

/** A disk that does not take it now costs the next opening some time, and nothing else. */
async function tolerating(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}

/** What the disk or the log says, as against a bug. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof TidingsError || error instanceof ShortFileError || (error instanceof Error && 'code' in error)
  );
}
