import { boundaryOf, sectionName } from '../codecs/aicf/boundary.ts';
import { encodedUri } from '../codecs/primitives/encoded-uri.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import type { Action } from '../model/change.ts';
import { type ClaimSpan, claimSpan, DAY_MS } from './claim-span.ts';
import type { Fall } from './ladder.ts';

/** What the pages of a site told in place of its feed. */
export interface PageTelling {
  readonly action: Action;
  /** The section; absent where the whole page was told. */
  readonly anchor?: string | undefined;
  readonly checksum?: string | undefined;
  /** When it was told. */
  readonly timeMs: number;
}

/** What a feed may tell once more when it is back. */
export interface Seam {
  /** Oldest first. */
  readonly falls: readonly Fall[];
  /** What was told in those falls, by page, oldest first. */
  readonly tellings: ReadonlyMap<string, readonly PageTelling[]>;
  /**
   * Nothing was read of the feed to its end since the last fall: also what it claims to have happened long before, or at no time at all,
   * may be what the pages told. Later, that would be taken for a new edit.
   */
  readonly isReturning: boolean;
  /** The last look at the pages, where it was just taken. */
  readonly lastLook?: LastLook;
}

/** A look at the pages that was taken when the feed could be read again, and before it is. */
export interface LastLook {
  /** What the feed told before that look began: the pages show all of it. */
  readonly toldBefore: Pick<FeedSketch, 'ids' | 'boundaries'>;
  /** When a page was asked for; undefined where it could not be read, or is not believed. */
  seenMs(page: string): number | undefined;
}

/** What a feed has to tell, without any of it. */
export interface FeedSketch {
  readonly ids: Set<string>;
  readonly boundaries: Set<string>;
}

export function addToSketch({ ids, boundaries }: FeedSketch, change: FeedChange): void {
  ids.add(change.id);
  boundaries.add(boundaryOf(change));
}

/**
 * The batches of a feed that is back: each change that the pages have told in its place is marked as told. It is remembered as if it had been
 * handed on, in its place among the others, so that the next version of it is told for what it is.
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
 * Whether the pages have told what a feed tells.
 *
 * They have where they told the same boundary, its page as a whole or, of a change of the page, one of its sections, and have seen the page
 * since the change happened. What happened between the last good reading of the feed and the first of the pages was told by nobody, unless
 * that first reading told it. A page that they still show was not told as gone.
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

/** As the log spells it. */
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
  // What says little of its time is believed to be of the fall only while that is just over.
  const isVague = claim === undefined || claim.toMs - claim.fromMs >= DAY_MS - 1;
  if (isVague ? !isLast : !isOfFall(claim, telling, { fall, isLast })) return false;
  const { lastLook } = seam;
  if (isLast && lastLook !== undefined) return hasSeen(change, claim, { telling, fall, lastLook });
  return claim === undefined || (isVague ? claim.fromMs : claim.toMs) <= fall.lookedMs;
}

/** Whether it lies in the time for which the pages spoke. A claim from before that comes only now is not of when it happened. */
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

/** By what the feed told before the look, so that no clock counts; by the clock for what came while it was taken. */
function hasSeen(change: FeedChange, claim: ClaimSpan | undefined, { telling, fall, lastLook }: LookFacts): boolean {
  const seenMs = lastLook.seenMs(pageOf(change));
  const { ids, boundaries } = lastLook.toldBefore;
  if (ids.has(change.id)) return seenMs !== undefined || (claim?.fromMs ?? 0) <= telling.timeMs;
  const untilMs = seenMs ?? telling.timeMs;
  if (claim !== undefined && claim.toMs <= untilMs) return true;
  const mayBeSeen = claim === undefined || claim.fromMs <= untilMs;
  // The look told the boundary, and nothing else that the feed tells is a reason for it.
  return mayBeSeen && telling.timeMs >= fall.lookedMs && !boundaries.has(boundaryOf(change));
}

function claimOf({ time }: FeedChange): ClaimSpan | undefined {
  return time === undefined ? undefined : claimSpan(time);
}
