import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';

/** A change on its way to subscribers, with what is encoded once for all of them. */
export interface TailEvent {
  readonly change: Change;
  /** The change as `/api/v1/changes` shows it, on one line. */
  readonly json: string;
}

export interface ChangeTailParts {
  readonly store: Pick<HubStore, 'changes' | 'onChanges' | 'onRedactions'>;
  /** The newest change of the log at the start. */
  readonly newest: Pick<Change, 'seq'> | undefined;
  readonly keptEvents?: number;
  readonly keptBytes?: number;
}

const KEPT_EVENTS = 2000;
const KEPT_BYTES = 8 * 1024 * 1024;

/**
 * The end of the log in memory, which all kinds of push read, so that a change is read and encoded once for any number of subscribers.
 *
 * Readers keep the `seq` that they have reached and ask for later events: from memory as far as that reaches back, else from the store. Nothing is kept per
 * reader, and a reader that crashes repeats at most what it did not store.
 */
export class ChangeTail {
  readonly #store: ChangeTailParts['store'];
  readonly #keptEvents: number;
  readonly #keptBytes: number;
  readonly #listeners = new Set<(events: readonly TailEvent[]) => void>();
  /** Oldest first, without gaps. */
  #events: TailEvent[] = [];
  #bytes = 0;
  #seq: number;
  #edition = 0;

  constructor({ store, newest, keptEvents = KEPT_EVENTS, keptBytes = KEPT_BYTES }: ChangeTailParts) {
    this.#store = store;
    this.#keptEvents = keptEvents;
    this.#keptBytes = keptBytes;
    this.#seq = newest?.seq ?? 0;
    store.onChanges((changes) => this.#take(changes));
    store.onRedactions((change) => this.#replace(change));
  }

  /** The `seq` of the newest change; 0 while the log is empty. */
  get seq(): number {
    return this.#seq;
  }

  /** Changes each time texts are removed from the log: anything derived from it before must be discarded. */
  get edition(): number {
    return this.#edition;
  }

  /** Passes on what is appended from now on, in order of `seq`, once it is durable. Returns a function that ends this. */
  onEvents(listener: (events: readonly TailEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The events after a place, oldest first, if memory has all of them; undefined if it does not reach back so far. */
  held(afterSeq: number, limit = Number.POSITIVE_INFINITY): readonly TailEvent[] | undefined {
    if (afterSeq >= this.#seq) return [];
    const first = this.#events[0]?.change.seq;
    if (first === undefined || afterSeq < first - 1) return undefined;
    const start = afterSeq - first + 1;
    return this.#events.slice(start, start + Math.min(limit, this.#events.length));
  }

  /** The same from memory or the store. Events appended in the meantime may be left to the next call. */
  async read(afterSeq: number, limit: number): Promise<readonly TailEvent[]> {
    const held = this.held(afterSeq, limit);
    if (held !== undefined) return held;
    const events: TailEvent[] = [];
    for await (const change of this.#store.changes({ after: afterSeq, limit })) {
      // Committed events that are not announced yet reach the listeners later.
      if (change.seq > this.#seq) break;
      events.push(new OneLine(change));
    }
    return events;
  }

  /** Replaces it by its redacted form, for later readers. */
  #replace(change: Change): void {
    this.#edition += 1;
    const at = this.#events.findIndex((event) => event.change.seq === change.seq);
    const known = this.#events[at];
    if (known === undefined) return;
    const event = new OneLine(change);
    this.#bytes += sizeOf(event) - sizeOf(known);
    this.#events[at] = event;
  }

  #take(changes: readonly Change[]): void {
    const events = changes.map((change) => new OneLine(change));
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
    }
    this.#seq = changes.at(-1)?.seq ?? this.#seq;
    let dropped = 0;
    while (this.#events.length - dropped > this.#keptEvents || this.#bytes > this.#keptBytes) {
      const oldest = this.#events[dropped];
      if (oldest === undefined) break;
      this.#bytes -= sizeOf(oldest);
      dropped += 1;
    }
    if (dropped > 0) this.#events = this.#events.slice(dropped);
    for (const listener of this.#listeners) listener(events);
  }
}

/** Encoded on the first request. */
class OneLine implements TailEvent {
  readonly change: Change;
  #json: string | undefined;

  constructor(change: Change) {
    this.change = change;
  }

  get json(): string {
    this.#json ??= JSON.stringify({ ...this.change, boundary: boundaryOf(this.change) });
    return this.#json;
  }
}

const BASE_BYTES = 500;

/** An estimate without encoding: texts make up most of the size. */
function sizeOf({ change }: TailEvent): number {
  const { url, excerpt, before, note, summary, title } = change;
  const texts = [url, excerpt, before, note, summary, title];
  return BASE_BYTES + texts.reduce((sum, one) => sum + 2 * (one?.length ?? 0), 0);
}
