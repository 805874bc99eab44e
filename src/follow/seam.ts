import { boundaryOf, sectionName } from '../codecs/aicf/boundary.ts';
import { encodedUri } from '../codecs/primitives/encoded-uri.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import type { Action } from '../model/change.ts';
import { type ClaimSpan, claimSpan, DAY_MS } from './claim-span.ts';
import type { Fall } from './ladder.ts';

/** What the pages of a site reported instead of its feed. */
export interface PageTelling {
  readonly action: Action;
  /** The section; absent if the whole page was reported. */
  readonly anchor?: string | undefined;
  readonly checksum?: string | undefined;
  /** When it was told. */
  readonly timeMs: number;
}

/** What a feed may report again after its return. */
export interface Seam {
  /** Oldest first. */
  readonly falls: readonly Fall[];
  /** What was reported in those falls, by page, oldest first. */
  readonly tellings: ReadonlyMap<string, readonly PageTelling[]>;
  /**
   * The feed has not been read completely since the last fall: even what it dates long before, or not at all, may be what the pages reported. Later,
   * that would count as a new edit.
   */
  readonly isReturning: boolean;
  /** The last look at the pages, if it was just taken. */
  readonly lastLook?: LastLook;
}

/** A look at the pages that was taken when the feed was readable again, before reading it. */
export interface LastLook {
  /** What the feed reported before that look began: the pages show all of it. */
  readonly toldBefore: Pick<FeedSketch, 'ids' | 'boundaries'>;
  /** When a page was requested; undefined if it could not be read or is not believed. */
  seenMs(page: string): number | undefined;
}

/** An outline of what a feed reports, without the content. */
export interface FeedSketch {
  readonly ids: Set<string>;
  readonly boundaries: Set<string>;
}

export function addToSketch({ ids, boundaries }: FeedSketch, change: FeedChange): void {
  ids.add(change.id);
  boundaries.add(boundaryOf(change));
}

/**
 * The batches of a feed that is back: each change that the pages have already reported is marked as told. It is stored as if it had been delivered,
 * in its place among the others, so that its next version is reported correctly.
 */
export async function* throughSeam(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  seamOf: () => Promise<Seam>,
): AsyncGenerator<Batch, ReadingEnd> {
  let seam: Seam | undefined;
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      seam ??= await seamOf();
      yield { ...next.value, changes: marked(next.value.changes, seam) };
    }
  } finally {
    await batches.return({});
  }
}

function* marked(changes: Iterable<FeedChange>, seam: Seam): Generator<FeedChange, void> {
  for (const change of changes) yield isTold(change, seam) ? { ...change, isTold: true } : change;
}

/**
 * Whether the pages have already reported a change of a feed.
 *
 * They have if they reported the same boundary, its page as a whole or, for a page change, one of its sections, and have seen the page since the
 * change happened. Changes between the last good reading of the feed and the first of the pages were not reported, unless that first reading did. A
 * page that still exists was not reported as gone.
 */
export function isTold(change: FeedChange, seam: Seam): boolean {
  if (change.kind === 'endpoint') return false;
  const tellings = seam.tellings.get(pageOf(change)) ?? [];
  return tellings.some((telling) => isAbout(telling, change) && covers(telling, change, seam));
}

function isAbout(telling: PageTelling, change: FeedChange): boolean {
  const anchor = sectionName(change.anchor);
  if (change.action === 'delete' && anchor === undefined) {
    return telling.action === 'delete' && telling.anchor === undefined;
  }
  return anchor === undefined || telling.anchor === undefined || telling.anchor === anchor;
}

/** In the spelling of the log. */
function pageOf({ url }: FeedChange): string {
  const page = new URL(url);
  page.hash = '';
  return encodedUri(page.href);
}

function covers(telling: PageTelling, change: FeedChange, seam: Seam): boolean {
  const fall = seam.falls.findLast(({ atMs }) => atMs <= telling.timeMs);
  if (fall === undefined) return false;
  const isLast = seam.isReturning && fall === seam.falls.at(-1);
  if (isLast && change.checksum !== undefined && change.checksum === telling.checksum) return true;
  const claim = claimOf(change);
  // A vague time is attributed to the fall only if the fall has just ended.
  const isVague = claim === undefined || claim.toMs - claim.fromMs >= DAY_MS - 1;
  if (isVague ? !isLast : !isOfFall(claim, telling, { fall, isLast })) return false;
  const { lastLook } = seam;
  if (isLast && lastLook !== undefined) return hasSeen(change, claim, { telling, fall, lastLook });
  return claim === undefined || (isVague ? claim.fromMs : claim.toMs) <= fall.lookedMs;
}

/** Whether it falls into the period of the pages. An earlier time that is claimed only now is not when it happened. */
function isOfFall(
  { toMs }: ClaimSpan,
  telling: PageTelling,
  { fall, isLast }: { readonly fall: Fall; readonly isLast: boolean },
): boolean {
  const { fromMs = Number.NEGATIVE_INFINITY, atMs, readMs } = fall;
  if (toMs >= atMs) return true;
  const isOfFirstReading = telling.timeMs <= readMs;
  return toMs > fromMs ? isOfFirstReading : isLast;
}

interface LookFacts {
  readonly telling: PageTelling;
  readonly fall: Fall;
  readonly lastLook: LastLook;
}

/** Decided by what the feed reported before the look, independent of clocks; by the clock for what came during the look. */
function hasSeen(change: FeedChange, claim: ClaimSpan | undefined, { telling, fall, lastLook }: LookFacts): boolean {
  const seenMs = lastLook.seenMs(pageOf(change));
  const { ids, boundaries } = lastLook.toldBefore;
  if (ids.has(change.id)) return seenMs !== undefined || (claim?.fromMs ?? 0) <= telling.timeMs;
  const untilMs = seenMs ?? telling.timeMs;
  if (claim !== undefined && claim.toMs <= untilMs) return true;
  const mayBeSeen = claim === undefined || claim.fromMs <= untilMs;
  // The look reported the boundary, and no other report of the feed explains it.
  return mayBeSeen && telling.timeMs >= fall.lookedMs && !boundaries.has(boundaryOf(change));
}

function claimOf({ time }: FeedChange): ClaimSpan | undefined {
  return time === undefined ? undefined : claimSpan(time);
}
