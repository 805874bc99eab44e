import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { formatTime, parseTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError, RedirectRefusedError } from '../../../errors/fetch-error.ts';
import { warn } from '../../diagnostic.ts';
import { type Access, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { ArchiveWalk } from './diffdelta-memory.ts';

export const MAX_FEED_BYTES = 64 * 1024 * 1024;
const MAX_STEPS = 10_000;
const MAX_BYTES = 1024 * 1024 * 1024;
/** What was read on the way back is kept up to here; the rest is asked for again on the way forward. */
const MAX_KEPT_CHARS = 64 * 1024 * 1024;
/** Feeds of others may come back to an old cursor, but not for ever. */
const MAX_SAME_CURSOR = 100;

export interface FoundFeed {
  readonly url: URL;
  readonly feed: DecodedDiffDeltaFeed;
}

export interface WalkOptions {
  /** The last run that was handed on; undefined when there was none yet. */
  readonly cursor: string | undefined;
  /** Archives that are older are of no interest. */
  readonly sinceMs: number | undefined;
  /** Where an earlier walk was broken off. */
  readonly before: ArchiveWalk | undefined;
  /** The most archives that are looked at. */
  readonly maxSteps?: number;
}

/** Where the way back has ended, when not at the run that is known or at the first one that there is. */
export interface WayBack {
  /** The newest run of before `sinceMs`. */
  readonly tooOld?: FoundFeed;
  /** Why it ends too early: sentences. */
  readonly gap?: string;
}

/** The archives that lie between what is known and the latest feed. */
export interface Walk {
  /** Goes back from the latest feed. Throws what may pass. */
  back(latest: FoundFeed): Promise<WayBack>;
  /** The archives that were found, oldest first. What is gone meanwhile is said aloud and left out. */
  forward(): AsyncGenerator<FoundFeed>;
  /** What is still to be handed on. */
  readonly left: ArchiveWalk;
}

/** Memory holds no more than the URLs of the archives and a few of their texts (DD-P3). */
export function createWalk({ cursor, sinceMs, before, maxSteps = MAX_STEPS }: WalkOptions, access: Access): Walk {
  const urls: string[] = [];
  const seenUrls = new Set<string>();
  const cursors = new Map<string, number>();
  const texts = createKeptTexts();
  const placesBefore = new Map(before?.urls.map((url, place) => [url, place]));
  let next: string | undefined;
  let bytes = 0;
  /** What is relative means in an archive what it meant in the feed, of which the archive is a copy. */
  let base: URL | undefined;

  async function back(latest: FoundFeed): Promise<WayBack> {
    base = latest.url;
    const way = await goBack(latest);
    next = undefined;
    return way;
  }

  async function goBack(latest: FoundFeed): Promise<WayBack> {
    if (isTooOld(latest.feed)) return { tooOld: latest };
    let oldest: DecodedDiffDeltaFeed | undefined = latest.feed;
    const gap = (why: string) => ({ gap: gapText(oldest, why) });
    count(latest.feed);
    for (let step = stepFrom(latest); step !== undefined; ) {
      if (typeof step !== 'string') return gap(step.gap);
      next = step;
      if (urls.length >= maxSteps || bytes >= MAX_BYTES) return gap('There are more archives than are read at once.');
      if (seenUrls.has(step)) return gap(`The chain of archives comes back to ${step}.`);
      seenUrls.add(step);
      const resumed = resume(step);
      if (resumed !== undefined) {
        if (resumed === 'end') return {};
        oldest = undefined;
        step = resumed;
        continue;
      }
      const archive = await read(step);
      if ('gap' in archive) return gap(archive.gap);
      const { feed } = archive;
      if (feed.cursor !== null && feed.cursor === cursor) return {};
      if (feed.cursor === null || count(feed) > MAX_SAME_CURSOR) {
        return gap(`The chain of archives goes round at ${step}.`);
      }
      if (isTooOld(feed)) return { tooOld: archive };
      urls.push(step);
      oldest = feed;
      step = stepFrom(archive);
    }
    return {};
  }

  /** The archive to look at next; undefined at the end of the way. */
  function stepFrom({ url, feed }: FoundFeed): string | { readonly gap: string } | undefined {
    const isChange = feed.prev_cursor !== feed.cursor;
    if (cursor !== undefined && isChange && feed.prev_cursor === cursor) return undefined;
    if (feed.prev_archive_url === undefined) {
      // Whoever begins takes what there is, unless a time was named since which all is wanted.
      const isStart = cursor === undefined && (sinceMs === undefined || feed.prev_cursor === null);
      return isStart ? undefined : { gap: `${url.href} names no archive of the run before it.` };
    }
    const archive = sameOriginUrl(feed.prev_archive_url, url);
    return archive ?? { gap: `${url.href} names an archive of another origin, which is not asked.` };
  }

  /** Takes over what an earlier walk found behind this archive: where to go on, or that all is found. */
  function resume(url: string): string | 'end' | undefined {
    const place = placesBefore.get(url);
    if (before === undefined || place === undefined) return undefined;
    const known = before.urls.slice(place);
    urls.push(...known);
    for (const one of known) seenUrls.add(one);
    return before.next ?? 'end';
  }

  async function read(url: string): Promise<FoundFeed | { readonly gap: string }> {
    try {
      const document = await getDocument(url, { maxBytes: MAX_FEED_BYTES }, access);
      if (document === 'unchanged') throw new Error(`${url} answered 304 to a request without conditions`);
      bytes += document.text.length;
      texts.keep(url, document);
      return { url: document.url, feed: ensureDecoded(decodeDiffDeltaFeed(document.text, base), url, 'archive') };
    } catch (error) {
      if (isLasting(error)) return { gap: whyUnread(url, error) };
      throw error;
    }
  }

  async function* forward(): AsyncGenerator<FoundFeed> {
    for (let url = urls.at(-1); url !== undefined; url = urls.at(-1)) {
      const kept = texts.take(url);
      const archive =
        kept === undefined
          ? await read(url)
          : { url: kept.url, feed: ensureDecoded(decodeDiffDeltaFeed(kept.text, base), url, 'archive') };
      if ('gap' in archive)
        warnOfGap(url, `The run of this archive is missing, with what it removed. ${archive.gap}`, access);
      else yield archive;
      urls.pop();
    }
  }

  function count({ cursor: met }: DecodedDiffDeltaFeed): number {
    const times = (cursors.get(met ?? '') ?? 0) + 1;
    cursors.set(met ?? '', times);
    return times;
  }

  function isTooOld({ generated_at: time }: DecodedDiffDeltaFeed): boolean {
    return cursor === undefined && sinceMs !== undefined && (parseTime(time ?? '') ?? sinceMs) < sinceMs;
  }

  function gapText(oldest: DecodedDiffDeltaFeed | undefined, why: string): string {
    const after = cursor === undefined ? startText() : ` after ${cursor}`;
    const before = oldest === undefined ? '' : `${after === '' ? '' : ' and'} before ${runText(oldest)}`;
    return `Runs${after}${before} may be missing, with what they removed. ${why}`;
  }

  function startText(): string {
    return sinceMs === undefined ? '' : ` since ${formatTime(sinceMs)}`;
  }

  return {
    back,
    forward,
    get left() {
      return { urls: [...urls], ...(next !== undefined && { next }) };
    },
  };
}

/** Says aloud that runs are missing for good, and what helps (DD-P3). */
export function warnOfGap(url: string, gap: string, { ports }: Access): void {
  const advice = 'What is missing is not asked for again: read the pages of this source anew to be sure of them.';
  warn(ports, 'gap', `${url}: DD-P3: ${gap} ${advice}`);
}

function runText({ generated_at: time, cursor }: DecodedDiffDeltaFeed): string {
  return time === undefined ? `the run ${cursor}` : `the run of ${time.slice(0, 40)} (${cursor})`;
}

/** The errors themselves say that it is asked again, which it is not. */
function whyUnread(url: string, error: Error): string {
  if (error instanceof FeedUnreadableError) return `${error.url} ${error.what}`;
  if (error instanceof BodyTooLargeError) return `${url} is too large.`;
  if (error instanceof BodyEncodingError) return `${url} cannot be decoded.`;
  return `${url} redirects to where it is not followed.`;
}

/** What asking again would not mend. */
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
