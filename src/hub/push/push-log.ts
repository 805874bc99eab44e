import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { ChangeTail, TailEvent } from './change-tail.ts';

/** What happened, in the form that all kinds of push use. */
export interface PushEvent {
  /** Its place: from 1, without gaps. */
  readonly seq: number;
  /** A ULID: the cursor of a reader that has it. */
  readonly id: string;
  readonly type: 'change' | 'alert.raised' | 'alert.cleared';
  /** When it happened, RFC 3339. */
  readonly timestamp: string;
  /** Its data as JSON, on one line, encoded once for all subscribers. */
  readonly json: string;
  /** For a change: the data for filters. */
  readonly change?: Change;
}

/** A place in a log. */
export interface LogPlace {
  readonly seq: number;
  readonly id: string;
}

/**
 * A log to push from: readers keep the place that they have reached and ask for later events.
 *
 * Events never change and are durable before they are announced. An event that is read twice is the same object while it is in memory.
 */
export interface PushLog {
  /** Identifies the log: different after each restored backup; empty if there was none. */
  readonly epoch: string;
  /** The `seq` of the newest event; 0 while there is none. */
  readonly seq: number;
  /** The event after which the log begins; undefined if it was never cut. From memory. */
  begins(): LogPlace | undefined;
  /** The place of the event with this id; undefined if the log has none, or no longer. */
  find(id: string): Promise<LogPlace | undefined>;
  /** The `seq` of the newest event that is older than that time; 0 if there is none. */
  seqBefore(timeMs: number): Promise<number>;
  /** The events after a place, oldest first, from memory; undefined if that does not reach back so far. */
  held(afterSeq: number, limit: number): readonly PushEvent[] | undefined;
  /** The same from memory or the store. */
  read(afterSeq: number, limit: number): Promise<readonly PushEvent[]>;
  /** Passes on what is appended from now on, in order. Returns a function that ends this. */
  onEvents(listener: (events: readonly PushEvent[]) => void): () => void;
}

export interface ChangeLogParts {
  readonly tail: ChangeTail;
  readonly store: Pick<HubStore, 'changeById' | 'logStart' | 'seqBefore'>;
  readonly epoch: string | undefined;
}

/** The changes of a hub as a log to push from. */
export function changeLog({ tail, store, epoch = '' }: ChangeLogParts): PushLog {
  /** One object per event of the tail, so that derived data is made once. */
  const made = new WeakMap<TailEvent, PushEvent>();
  const pushEvent = (event: TailEvent): PushEvent => {
    const known = made.get(event);
    if (known !== undefined) return known;
    const next = new PushedChange(event);
    made.set(event, next);
    return next;
  };
  return {
    epoch,
    get seq() {
      return tail.seq;
    },
    begins: () => store.logStart(),
    async find(id) {
      const begins = store.logStart();
      if (id === begins?.id) return begins;
      const change = await store.changeById(id);
      return change && { seq: change.seq, id };
    },
    seqBefore: (timeMs) => store.seqBefore(timeMs),
    held: (afterSeq, limit) => tail.held(afterSeq, limit)?.map(pushEvent),
    read: async (afterSeq, limit) => (await tail.read(afterSeq, limit)).map(pushEvent),
    onEvents: (listener) => tail.onEvents((events) => listener(events.map(pushEvent))),
  };
}

class PushedChange implements PushEvent {
  readonly type = 'change';
  readonly #event: TailEvent;

  constructor(event: TailEvent) {
    this.#event = event;
  }

  get change(): Change {
    return this.#event.change;
  }

  get seq(): number {
    return this.#event.change.seq;
  }

  get id(): string {
    return this.#event.change.id;
  }

  get timestamp(): string {
    return this.#event.change.time;
  }

  get json(): string {
    return this.#event.json;
  }
}
