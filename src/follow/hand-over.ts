import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { parseTime } from '../codecs/primitives/time.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import type { FeedEvent } from './feed-event.ts';
import { editChecksums, type PendingEvent, type SourceState, type StoredChecksums } from './follow-state.ts';
import { changeOf, checksumEditOf, followed, followedWithContent, pageUrlOf } from './followed.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { FedEvent } from './read/feed-item.ts';
import { type Reading, warn } from './read/reading.ts';
import { createPageReader, type PageOutcome, type PageReader } from './read-page.ts';

export interface HandOverOptions {
  readonly content: boolean;
  /** Events that claim an earlier time are passed over. */
  readonly sinceMs: number | undefined;
  readonly reading: Reading;
  readonly deliveries: Deliveries;
}

/** Turns events of the feed into what the consumer gets, in the order of the feed. */
export interface HandOver {
  /** Those that an earlier poll withheld, tried once more. They share their pages with the chunk that comes next. */
  pending(next: readonly FedEvent[]): AsyncGenerator<FollowedEvent, void>;
  events(chunk: readonly FedEvent[]): AsyncGenerator<FollowedEvent, void>;
  /** The feed was read to its end: what was passed over needs no second look. */
  passOver(): Promise<void>;
  /** What still waits for its page. */
  readonly withheld: { readonly count: number; readonly reason: string };
}

const MAX_TRIES = 5;
const DELETED_LATER = 'deleted later in this feed';
const FLAGGED = 'the item is flagged as risky';

export async function createHandOver({ content, sinceMs, reading, deliveries }: HandOverOptions): Promise<HandOver> {
  const { feed: _feed, lastId: _lastId, ...base } = deliveries.state;
  const { source } = base;
  const readPage = createPageReader(reading);
  let waiting = await reading.state.pendingOf(source);
  let pagesOfNext: PageReader | undefined;
  let passedOver: (() => SourceState) | undefined;

  async function* pending(next: readonly FedEvent[]): AsyncGenerator<FollowedEvent, void> {
    const pages = sharedPages([...waiting, ...next].map(({ event }) => event));
    pagesOfNext = pages;
    for (const one of waiting) {
      reading.signal.throwIfAborted();
      const outcome = content ? await pages(pageUrlOf(one.event)) : undefined;
      const tries = one.tries + (outcome?.kind === 'failed' && outcome.asked ? 1 : 0);
      if (outcome?.kind === 'failed' && tries < MAX_TRIES) {
        await deliveries.add({ pending: [{ ...one, tries, reason: outcome.reason }] });
        continue;
      }
      const printed = outcome === undefined ? followed(one.event, source) : presented(one.event, outcome);
      yield printed;
      await deliveries.add(settlementOf(one, printed));
    }
  }

  async function* events(chunk: readonly FedEvent[]): AsyncGenerator<FollowedEvent, void> {
    await deliveries.save();
    const seen = await reading.state.seenAmong(
      source,
      chunk.map(({ event }) => event.id),
    );
    const checksums = await reading.state.checksumsOf(source, [...new Set(chunk.map(({ event }) => pageUrlOf(event)))]);
    const deletedAt = lastDeletes(chunk);
    const pages = pagesOfNext ?? sharedPages(chunk.map(({ event }) => event));
    pagesOfNext = undefined;

    for (const [index, { event, progress }] of chunk.entries()) {
      reading.signal.throwIfAborted();
      const moved = progress && { state: () => ({ ...base, ...progress() }) };
      const items = event.item?.known === undefined ? [] : [event.item.known];
      if (isBefore(event, sinceMs)) {
        // Not remembered yet: a first reading that stops here begins anew, with `since`.
        passedOver = moved?.state;
        continue;
      }
      passedOver = undefined;
      if (seen.has(event.id)) {
        await deliveries.add({ ...moved, items });
        continue;
      }
      // An item is known by its version, which may come back; what is only a part of one is known by its id until then.
      const seenIds = items.length === 0 ? [event.id] : [];
      for (const id of seenIds) seen.add(id);
      if (event.action === 'delete') yield* settleDeleted(event);
      const isDeletedLater = (deletedAt.get(pageUrlOf(event)) ?? -1) > index;
      const printed = await present(event, { checksums, pages, isDeletedLater });
      if (printed.kind === 'withheld') {
        await deliveries.add({ ...moved, seenIds, items, ...withhold(event, printed.outcome, checksums) });
        continue;
      }
      yield printed.event;
      const edit = checksumEditOf(event, printed.event);
      if (edit !== undefined) editChecksums(checksums, edit);
      await deliveries.add({
        ...moved,
        seenIds,
        items,
        checksums: edit === undefined ? [] : [edit],
        changes: [changeOf(event, printed.event)],
      });
    }
    await deliveries.save();
  }

  async function passOver(): Promise<void> {
    if (passedOver !== undefined) await deliveries.add({ state: passedOver });
    passedOver = undefined;
  }

  /** A page that is about to go will not be fetched again: what waits for it comes out first. */
  async function* settleDeleted(event: FeedEvent): AsyncGenerator<FollowedEvent, void> {
    for (const one of waiting.filter((other) => isInside(other.event, event))) {
      const printed = followed(one.event, source, { contentError: DELETED_LATER });
      yield printed;
      await deliveries.add(settlementOf(one, printed));
    }
  }

  async function present(event: FeedEvent, context: Context): Promise<Presented> {
    if (event.action === 'delete') return { kind: 'event', event: followed(event, source) };
    const stored = context.checksums.get(pageUrlOf(event))?.get(boundaryOf(event));
    if (event.item === undefined && event.checksum !== undefined && event.checksum === stored) {
      return { kind: 'event', event: followed(event, source, { unchanged: true }) };
    }
    if (!content) return { kind: 'event', event: followed(event, source) };
    if (event.item?.flagged) return { kind: 'event', event: followed(event, source, { contentError: FLAGGED }) };
    if (context.isDeletedLater) {
      return { kind: 'event', event: followed(event, source, { contentError: DELETED_LATER }) };
    }
    const outcome = await context.pages(pageUrlOf(event));
    return outcome.kind === 'failed'
      ? { kind: 'withheld', outcome }
      : { kind: 'event', event: presented(event, outcome) };
  }

  function presented(event: FeedEvent, outcome: PageOutcome): FollowedEvent {
    if (outcome.kind === 'page') return followedWithContent(event, source, outcome.page);
    return followed(event, source, { contentError: outcome.reason });
  }

  function withhold(event: FeedEvent, { reason, asked }: Failed, checksums: StoredChecksums): Delivery {
    const page = pageUrlOf(event);
    const one: PendingEvent = { event, tries: asked ? 1 : 0, reason };
    if (!waiting.some((other) => pageUrlOf(other.event) === page)) {
      const why = reason.replace(/\.$/, '');
      warn(reading, 'withheld', `${page}: ${why}. Its events are withheld and tried again at the next poll.`);
    }
    waiting = [...waiting, one];
    const edit = { page, boundary: boundaryOf(event) };
    editChecksums(checksums, edit);
    return { pending: [one], checksums: [edit] };
  }

  function settlementOf(one: PendingEvent, printed: FollowedEvent): Delivery {
    waiting = waiting.filter((other) => other !== one);
    const edit = checksumEditOf(one.event, printed);
    return {
      settledIds: [one.event.id],
      checksums: edit === undefined ? [] : [edit],
      changes: [changeOf(one.event, printed)],
    };
  }

  /** One GET for all events of a page among these; a page is dropped once the last of them has had it. */
  function sharedPages(among: readonly FeedEvent[]): PageReader {
    const uses = new Map<string, number>();
    for (const event of among) uses.set(pageUrlOf(event), (uses.get(pageUrlOf(event)) ?? 0) + 1);
    const held = new Map<string, PageOutcome>();
    return async (url) => {
      const left = (uses.get(url) ?? 1) - 1;
      uses.set(url, left);
      let outcome = held.get(url);
      if (outcome === undefined) {
        // What was taken so far is not left at risk while we wait for a page.
        await deliveries.save();
        outcome = await readPage(url);
      }
      if (left > 0) held.set(url, outcome);
      else held.delete(url);
      return outcome;
    };
  }

  return {
    pending,
    events,
    passOver,
    get withheld() {
      return { count: waiting.length, reason: waiting[0]?.reason ?? '' };
    },
  };
}

type Failed = PageOutcome & { readonly kind: 'failed' };

type Presented =
  | { readonly kind: 'event'; readonly event: FollowedEvent }
  | { readonly kind: 'withheld'; readonly outcome: Failed };

interface Context {
  readonly checksums: StoredChecksums;
  readonly pages: PageReader;
  readonly isDeletedLater: boolean;
}

/** Where in the chunk each page is deleted last. */
function lastDeletes(chunk: readonly FedEvent[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, { event }] of chunk.entries()) {
    if (event.action === 'delete' && event.anchor === undefined) places.set(pageUrlOf(event), index);
  }
  return places;
}

function isInside(event: FeedEvent, deleted: FeedEvent): boolean {
  if (deleted.anchor !== undefined) return boundaryOf(event) === boundaryOf(deleted);
  return pageUrlOf(event) === pageUrlOf(deleted);
}

function isBefore({ time }: FeedEvent, sinceMs: number | undefined): boolean {
  return sinceMs !== undefined && (parseTime(time) ?? sinceMs) < sinceMs;
}
