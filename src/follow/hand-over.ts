import { boundaryOf } from '../codecs/aicf/boundary.ts';
import { warn } from '../dialects/diagnostic.ts';
import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch } from '../dialects/reader.ts';
import { EventsWithheldError } from '../errors/follow-error.ts';
import type { Deliveries, Delivery } from './deliveries.ts';
import { editChecksums, type PendingEvent, type StoredChecksums } from './follow-state.ts';
import { changeOf, checksumEditOf, type Follower, followed, pageUrlOf } from './followed.ts';
import type { FollowedEvent } from './followed-event.ts';
import { DELETED_LATER, type FailedPage, isLeftOut, present, withPage } from './present.ts';
import { createPageReader, type PageReader } from './read-page.ts';
import type { Reading } from './reading.ts';
import { sharedPages } from './shared-pages.ts';
import { isWantedEvent } from './wanted-event.ts';

export interface HandOverOptions {
  readonly content: boolean;
  readonly reading: Reading;
  readonly deliveries: Deliveries;
  /** Events that an earlier poll withheld, oldest first. */
  readonly waiting: readonly PendingEvent[];
}

const MAX_TRIES = 5;

/** Turns changes of one feed into events for the consumer, in feed order. It is used for one poll of the feed. */
export class HandOver {
  readonly #content: boolean;
  readonly #reading: Reading;
  readonly #deliveries: Deliveries;
  readonly #follower: Follower;
  readonly #readPage: PageReader;
  #waiting: readonly PendingEvent[];
  #pagesOfNext: PageReader | undefined;

  constructor({ content, reading, deliveries, waiting }: HandOverOptions) {
    this.#content = content;
    this.#reading = reading;
    this.#deliveries = deliveries;
    this.#follower = { source: deliveries.state.source, now: reading.now };
    this.#waiting = waiting;
    const readPage = createPageReader(reading);
    this.#readPage = async (url) => {
      // Save what was taken before the wait for a page.
      await deliveries.save();
      return await readPage(url);
    };
  }

  /** What still waits for its page. */
  get withheld(): EventsWithheldError | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    return new EventsWithheldError(this.#follower.source, this.#waiting.length, first.reason);
  }

  /** Tries the events that an earlier poll withheld once more. They share their pages with the next chunk. */
  async *pending(next: readonly FeedChange[]): AsyncGenerator<FollowedEvent, void> {
    const pages = sharedPages([...this.#waiting.map(({ event }) => event), ...next], this.#readPage);
    this.#pagesOfNext = pages;
    for (const one of this.#waiting) {
      this.#reading.signal.throwIfAborted();
      const wanted = this.#wants(one.event);
      const outcome = this.#content && wanted !== false ? await pages(pageUrlOf(one.event)) : undefined;
      const tries = one.tries + (outcome?.kind === 'failed' && outcome.asked ? 1 : 0);
      if (outcome?.kind === 'failed' && tries < MAX_TRIES) {
        await this.#deliveries.add({ pending: [{ ...one, tries, reason: outcome.reason }] });
        continue;
      }
      if (wanted === false || isLeftOut(one.event, outcome, wanted)) {
        this.#waiting = this.#waiting.filter((other) => other !== one);
        await this.#deliveries.add({ settledIds: [one.event.id] });
        continue;
      }
      const printed =
        outcome === undefined ? followed(one.event, this.#follower) : withPage(one.event, this.#follower, outcome);
      yield printed;
      await this.#deliveries.add(this.#settlementOf(one, printed));
    }
  }

  /** The rest of a batch counts once its last change was taken. */
  async *take(
    chunk: readonly FeedChange[],
    { memory, items = [], seenIds = [] }: Partial<Batch>,
  ): AsyncGenerator<FollowedEvent, void> {
    await this.#deliveries.save();
    const { state } = this.#reading;
    const { source } = this.#follower;
    const ids = chunk.map(({ id }) => id);
    const seen = await state.seenAmong(source, ids);
    const checksums = await state.checksumsOf(source, [...new Set(chunk.map(pageUrlOf))]);
    const deletedAt = lastDeletes(chunk);
    const pages = this.#pagesOfNext ?? sharedPages(chunk, this.#readPage);
    this.#pagesOfNext = undefined;
    for (const [index, event] of chunk.entries()) {
      this.#reading.signal.throwIfAborted();
      const isDeletedLater = (deletedAt.get(pageUrlOf(event)) ?? -1) > index;
      const wanted = this.#wants(event, checksums.get(pageUrlOf(event))?.keys());
      if (seen.has(event.id) || wanted === false) await this.#deliveries.add(memoryOf(event, seen.has(event.id)));
      else if (event.isTold) await this.#deliveries.add(this.#rememberTold(event, checksums));
      else yield* this.#hand(event, { checksums, pages, isDeletedLater, isByPage: wanted === undefined });
      if (event.known === undefined) seen.add(event.id);
    }
    const next = { ...this.#deliveries.state, memory };
    const moved = memory === undefined ? {} : { state: () => next };
    if (memory !== undefined || items.length + seenIds.length > 0) {
      await this.#deliveries.add({ ...moved, items, seenIds });
    }
    await this.#deliveries.save();
  }

  /** Saves what was taken and is not saved yet. */
  save(): Promise<void> {
    return this.#deliveries.save();
  }

  async *#hand(event: FeedChange, context: Context): AsyncGenerator<FollowedEvent, void> {
    if (event.action === 'delete') yield* this.#settleDeleted(event);
    const presented = await present(event, { ...this.#follower, content: this.#content, ...context });
    if (presented.kind === 'left-out') {
      await this.#deliveries.add(memoryOf(event));
      return;
    }
    if (presented.kind === 'withheld') {
      const withheld = this.#withhold(event, presented.outcome, context.checksums);
      await this.#deliveries.add({ ...memoryOf(event), ...withheld });
      return;
    }
    yield presented.event;
    const edit = checksumEditOf(event, presented.event);
    if (edit !== undefined) editChecksums(context.checksums, edit);
    await this.#deliveries.add({
      ...memoryOf(event),
      checksums: edit === undefined ? [] : [edit],
      changes: [changeOf(event, presented.event)],
    });
  }

  #rememberTold(event: FeedChange, stored: StoredChecksums): Delivery {
    const edit = checksumEditOf(event, followed(event, this.#follower));
    if (edit !== undefined) editChecksums(stored, edit);
    return { ...memoryOf(event), checksums: edit === undefined ? [] : [edit] };
  }

  /** Undefined if only the page can show that. */
  #wants(event: FeedChange, told?: Iterable<string>): boolean | undefined {
    return isWantedEvent(event, this.#reading.rules, told) ?? (this.#content ? undefined : false);
  }

  /** A page that is about to be deleted will not be fetched again: events that wait for it are delivered first. */
  async *#settleDeleted(event: FeedChange): AsyncGenerator<FollowedEvent, void> {
    for (const one of this.#waiting.filter((other) => isInside(other.event, event))) {
      const printed = followed(one.event, this.#follower, { contentError: DELETED_LATER });
      yield printed;
      await this.#deliveries.add(this.#settlementOf(one, printed));
    }
  }

  #withhold(event: FeedChange, { reason, asked }: FailedPage, checksums: StoredChecksums): Delivery {
    const page = pageUrlOf(event);
    const one: PendingEvent = { event, tries: asked ? 1 : 0, reason };
    if (!this.#waiting.some((other) => pageUrlOf(other.event) === page)) {
      const why = reason.replace(/\.$/, '');
      warn(this.#reading, 'withheld', `${page}: ${why}. Its events are withheld and tried again at the next poll.`);
    }
    this.#waiting = [...this.#waiting, one];
    const edit = { page, boundary: boundaryOf(event) };
    editChecksums(checksums, edit);
    return { pending: [one], checksums: [edit] };
  }

  #settlementOf(one: PendingEvent, printed: FollowedEvent): Delivery {
    this.#waiting = this.#waiting.filter((other) => other !== one);
    const edit = checksumEditOf(one.event, printed);
    return {
      settledIds: [one.event.id],
      checksums: edit === undefined ? [] : [edit],
      changes: [changeOf(one.event, printed)],
    };
  }
}

interface Context {
  readonly checksums: StoredChecksums;
  readonly pages: PageReader;
  readonly isDeletedLater: boolean;
  readonly isByPage: boolean;
}

/** What is stored about a delivered change. An item is identified by its version, which may come back; a part of an item by its id until then. */
export function memoryOf({ id, known }: FeedChange, isSeen = false): Pick<Delivery, 'items' | 'seenIds'> {
  return { items: known === undefined ? [] : [known], seenIds: known === undefined && !isSeen ? [id] : [] };
}

/** The position of the last delete of each page in the chunk. */
function lastDeletes(chunk: readonly FeedChange[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, event] of chunk.entries()) {
    if (event.action === 'delete' && event.anchor === undefined) places.set(pageUrlOf(event), index);
  }
  return places;
}

function isInside(event: FeedChange, deleted: FeedChange): boolean {
  if (deleted.anchor !== undefined) return boundaryOf(event) === boundaryOf(deleted);
  return pageUrlOf(event) === pageUrlOf(deleted);
}
