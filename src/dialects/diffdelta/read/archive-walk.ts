import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { formatTime, parseTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError, RedirectRefusedError } from '../../../errors/fetch-error.ts';
import { warn } from '../../diagnostic.ts';
import { type Access, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { ArchiveWalk } from './diffdelta-memory.ts';

export const MAX_RUN_BYTES = 64 * 1024 * 1024;
const MAX_STEPS = 10_000;
const MAX_BYTES = 1024 * 1024 * 1024;
/** How much of the texts from the way back is kept; the rest is requested again on the way forward. */
const MAX_KEPT_CHARS = 64 * 1024 * 1024;
/** A foreign feed may return to an old cursor, but not forever. */
const MAX_SAME_CURSOR = 100;

export interface FoundFeed {
  readonly url: URL;
  readonly feed: DecodedDiffDeltaFeed;
}

export interface WalkOptions {
  /** The cursor of the last run that was handed on; undefined before the first one. */
  readonly cursor: string | undefined;
  /** Older archives are not wanted. */
  readonly sinceMs: number | undefined;
  /** Where an earlier walk was interrupted. */
  readonly before: ArchiveWalk | undefined;
  /** The most archives that are read. */
  readonly maxSteps?: number;
}

/** Where the way back ended, if not at the known run or at the first run of all. */
export interface WayBack {
  /** The newest run before `sinceMs`. */
  readonly tooOld?: FoundFeed;
  /** Why it ended too early, in sentences. */
  readonly gap?: string;
}

/** The archives between what is known and the latest feed. */
export interface Walk {
  /** Goes back from the latest feed. Throws temporary failures. */
  back(latest: FoundFeed): Promise<WayBack>;
  /** Yields the archives that were found, oldest first. An archive that is gone by now is reported and left out. */
  forward(): AsyncGenerator<FoundFeed>;
  /** What is still to be handed on. */
  readonly left: ArchiveWalk;
}

/** Memory holds only the URLs of the archives and a few of their texts (DD-P3). */
export function createWalk(options: WalkOptions, access: Access): Walk {
  return new ArchiveChain(options, access);
}

class ArchiveChain implements Walk {
  readonly #access: Access;
  readonly #cursor: string | undefined;
  readonly #sinceMs: number | undefined;
  readonly #before: ArchiveWalk | undefined;
  readonly #maxSteps: number;
  readonly #urls: string[] = [];
  readonly #seenUrls = new Set<string>();
  readonly #cursors = new Map<string, number>();
  readonly #texts = createKeptTexts();
  readonly #placesBefore: ReadonlyMap<string, number>;
  #next: string | undefined;
  #bytes = 0;
  /** An archive is a copy of the feed, so relative URLs in it are resolved against the URL of the feed. */
  #base: URL | undefined;

  constructor({ cursor, sinceMs, before, maxSteps = MAX_STEPS }: WalkOptions, access: Access) {
    this.#access = access;
    this.#cursor = cursor;
    this.#sinceMs = sinceMs;
    this.#before = before;
    this.#maxSteps = maxSteps;
    this.#placesBefore = new Map(before?.urls.map((url, place) => [url, place]));
  }

  get left(): ArchiveWalk {
    return { urls: [...this.#urls], ...(this.#next !== undefined && { next: this.#next }) };
  }

  async back(latest: FoundFeed): Promise<WayBack> {
    this.#base = latest.url;
    const way = await this.#goBack(latest);
    this.#next = undefined;
    return way;
  }

  async #goBack(latest: FoundFeed): Promise<WayBack> {
    if (this.#isTooOld(latest.feed)) return { tooOld: latest };
    let oldest: DecodedDiffDeltaFeed | undefined = latest.feed;
    const gap = (why: string) => ({ gap: this.#gapText(oldest, why) });
    this.#count(latest.feed);
    for (let step = this.#stepFrom(latest); step !== undefined; ) {
      if (typeof step !== 'string') return gap(step.gap);
      this.#next = step;
      if (this.#urls.length >= this.#maxSteps || this.#bytes >= MAX_BYTES)
        return gap('There are more archives than are read at once.');
      if (this.#seenUrls.has(step)) return gap(`The chain of archives comes back to ${step}.`);
      this.#seenUrls.add(step);
      const resumed = this.#resume(step);
      if (resumed !== undefined) {
        if (resumed === 'end') return {};
        oldest = undefined;
        step = resumed;
        continue;
      }
      const archive = await this.#read(step);
      if ('gap' in archive) return gap(archive.gap);
      const { feed } = archive;
      if (feed.cursor !== null && feed.cursor === this.#cursor) return {};
      if (feed.cursor === null || this.#count(feed) > MAX_SAME_CURSOR) {
        return gap(`The chain of archives goes round at ${step}.`);
      }
      if (this.#isTooOld(feed)) return { tooOld: archive };
      this.#urls.push(step);
      oldest = feed;
      step = this.#stepFrom(archive);
    }
    return {};
  }

  /** The archive to read next; undefined at the end of the way. */
  #stepFrom({ url, feed }: FoundFeed): string | { readonly gap: string } | undefined {
    const isChange = feed.prev_cursor !== feed.cursor;
    if (this.#cursor !== undefined && isChange && feed.prev_cursor === this.#cursor) return undefined;
    if (feed.prev_archive_url === undefined) {
      // A first reading takes what there is, unless everything since a given time is wanted.
      const isStart = this.#cursor === undefined && (this.#sinceMs === undefined || feed.prev_cursor === null);
      return isStart ? undefined : { gap: `${url.href} names no archive of the run before it.` };
    }
    const archive = sameOriginUrl(feed.prev_archive_url, url);
    return archive ?? { gap: `${url.href} names an archive of another origin, which is not asked.` };
  }

  /** Takes over what an earlier walk found beyond this archive. Returns where to continue, or `end` if everything was found. */
  #resume(url: string): string | 'end' | undefined {
    const place = this.#placesBefore.get(url);
    if (this.#before === undefined || place === undefined) return undefined;
    const known = this.#before.urls.slice(place);
    this.#urls.push(...known);
    for (const one of known) this.#seenUrls.add(one);
    return this.#before.next ?? 'end';
  }

  async #read(url: string): Promise<FoundFeed | { readonly gap: string }> {
    try {
      const document = await getDocument(url, { maxBytes: MAX_RUN_BYTES }, this.#access);
      if (document === 'unchanged') throw new Error(`${url} answered 304 to a request without conditions`);
      this.#bytes += document.text.length;
      this.#texts.keep(url, document);
      return { url: document.url, feed: ensureDecoded(decodeDiffDeltaFeed(document.text, this.#base), url, 'archive') };
    } catch (error) {
      if (isLasting(error)) return { gap: whyUnread(url, error) };
      throw error;
    }
  }

  async *forward(): AsyncGenerator<FoundFeed> {
    for (let url = this.#urls.at(-1); url !== undefined; url = this.#urls.at(-1)) {
      const kept = this.#texts.take(url);
      const archive =
        kept === undefined
          ? await this.#read(url)
          : { url: kept.url, feed: ensureDecoded(decodeDiffDeltaFeed(kept.text, this.#base), url, 'archive') };
      if ('gap' in archive)
        warnOfGap(url, `The run of this archive is missing, with what it removed. ${archive.gap}`, this.#access);
      else yield archive;
      this.#urls.pop();
    }
  }

  #count({ cursor: met }: DecodedDiffDeltaFeed): number {
    const times = (this.#cursors.get(met ?? '') ?? 0) + 1;
    this.#cursors.set(met ?? '', times);
    return times;
  }

  #isTooOld({ generated_at: time }: DecodedDiffDeltaFeed): boolean {
    return (
      this.#cursor === undefined &&
      this.#sinceMs !== undefined &&
      (parseTime(time ?? '') ?? this.#sinceMs) < this.#sinceMs
    );
  }

  #gapText(oldest: DecodedDiffDeltaFeed | undefined, why: string): string {
    const after = this.#cursor === undefined ? this.#startText() : ` after ${this.#cursor}`;
    const end = oldest === undefined ? '' : `${after === '' ? '' : ' and'} before ${runText(oldest)}`;
    return `Runs${after}${end} may be missing, with what they removed. ${why}`;
  }

  #startText(): string {
    return this.#sinceMs === undefined ? '' : ` since ${formatTime(this.#sinceMs)}`;
  }
}

/** Warns that runs are permanently missing, and what helps (DD-P3). */
export function warnOfGap(url: string, gap: string, { ports }: Access): void {
  const advice = 'What is missing is not asked for again: read the pages of this source anew to be sure of them.';
  warn(ports, 'gap', `${url}: DD-P3: ${gap} ${advice}`);
}

function runText({ generated_at: time, cursor }: DecodedDiffDeltaFeed): string {
  return time === undefined ? `the run ${cursor}` : `the run of ${time.slice(0, 40)} (${cursor})`;
}

/** The reason in words, without what was done about it. */
function whyUnread(url: string, error: Error): string {
  if (error instanceof FeedUnreadableError) return `${error.url} ${error.what}`;
  if (error instanceof BodyTooLargeError) return `${url} is too large.`;
  if (error instanceof BodyEncodingError) return `${url} cannot be decoded.`;
  return `${url} redirects to where it is not followed.`;
}

/** Whether another request would not help. */
function isLasting(error: unknown): error is Error {
  if (error instanceof FeedUnreadableError) {
    const { status = 200 } = error;
    return status < 500 && ![408, 425, 429].includes(status);
  }
  return [BodyEncodingError, BodyTooLargeError, RedirectRefusedError].some((kind) => error instanceof kind);
}

interface KeptText {
  readonly url: URL;
  readonly text: string;
}

function createKeptTexts() {
  const kept = new Map<string, KeptText>();
  let chars = 0;
  return {
    keep(url: string, { url: found, text }: KeptText) {
      if (chars + text.length > MAX_KEPT_CHARS) return;
      chars += text.length;
      kept.set(url, { url: found, text });
    },
    take(url: string): KeptText | undefined {
      const text = kept.get(url);
      kept.delete(url);
      chars -= text?.text.length ?? 0;
      return text;
    },
  };
}
