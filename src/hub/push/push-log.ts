import type { Change } from '../../model/change.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { ChangeTail, TailEvent } from './change-tail.ts';

/** What happened, as all who push tell it. */
export interface PushEvent {
  /** Its place: 1 and up, without a hole. */
  readonly seq: number;
  /** A ULID: the cursor of who has it. */
  readonly id: string;
  readonly type: 'change' | 'alert.raised' | 'alert.cleared';
  /** When it happened, RFC 3339. */
  readonly timestamp: string;
  /** Its data as JSON, on one line, written once for all who are told of it. */
  readonly json: string;
  /** Of a change: what filters look at. */
  readonly change?: Change;
}

/** A place in a log. */
export interface LogPlace {
  readonly seq: number;
  readonly id: string;
}

/**
 * A log that can be pushed from: readers keep the place that they came to and ask for what is behind it.
 *
 * Events never change and are durable before anybody is told of them. An event that is asked for twice is the same object as long as it is
 * in memory.
 */
export interface PushLog {
  /** Which log it is: another one behind each backup that was restored; empty while none was. */
  readonly epoch: string;
  /** That of the newest event; 0 while there is none. */
  readonly seq: number;
  /** Behind which event it begins; undefined where it was never cut. From memory. */
  begins(): LogPlace | undefined;
  /** Where the event of this id stands; undefined where the log has none, or none any more. */
  find(id: string): Promise<LogPlace | undefined>;
  /** Of the newest event that is older than that moment; 0 when there is none. */
  seqBefore(timeMs: number): Promise<number>;
  /** The events behind a place, oldest first, from memory; undefined where that does not reach back so far. */
  held(afterSeq: number, limit: number): readonly PushEvent[] | undefined;
  /** The same from wherever they stand. */
  read(afterSeq: number, limit: number): Promise<readonly PushEvent[]>;
  /** Hands on what is appended from now on, in order. Returns what ends that. */
  onEvents(listener: (events: readonly PushEvent[]) => void): () => void;
}

export interface ChangeLogParts {
  readonly tail: ChangeTail;
  readonly store: Pick<HubStore, 'changeById' | 'logStart' | 'seqBefore'>;
  readonly epoch: string | undefined;
}

/** The changes of a hub as a log to push from. */
export function changeLog({ tail, store, epoch = '' }: ChangeLogParts): PushLog {
  /** One object per event of the tail, so that what is made of it is made once. */
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
