import { formatTime } from '../../codecs/primitives/time.ts';
import { nextUlid } from '../../codecs/primitives/ulid.ts';
import type { LogPlace, PushEvent, PushLog } from '../push/push-log.ts';
import { isUnwritable } from '../watch/watch-writer.ts';
import type { Alert, AlertEvent } from './alert.ts';
import type { BoardStep } from './alert-board.ts';
import type { AlertStore } from './alert-store.ts';
import { viewAlert } from './alert-view.ts';

export interface AlertLogParts {
  readonly store: AlertStore;
  /** Which log it is, as of all logs of the hub. */
  readonly epoch: string | undefined;
  readonly random: (size: number) => Uint8Array;
}

/** How many of the newest events are in memory. */
const HELD = 500;

/**
 * The reported alerts, in order, bounded in length. Subscribers receive only what is durable.
 *
 * While the store refuses, new events wait in memory, where `news` has them all the same: a hub that lost its data folder can still send a mail.
 */
export class AlertLog implements PushLog {
  readonly epoch: string;
  readonly #store: AlertStore;
  readonly #random: AlertLogParts['random'];
  readonly #listeners = new Set<(events: readonly PushEvent[]) => void>();
  /** Durable ones, oldest first, without a hole up to the newest. */
  #held: PushedAlert[];
  #unwritten: AlertEvent[] = [];
  #begins: LogPlace | undefined;

  constructor({ store, epoch = '', random }: AlertLogParts) {
    this.epoch = epoch;
    this.#store = store;
    this.#random = random;
    this.#held = store
      .recent(HELD)
      .map((event) => new PushedAlert(event))
      .reverse();
    this.#begins = store.begins();
    store.onWritten(({ events = [] }) => this.#hear(events));
  }

  get seq(): number {
    return this.#held.at(-1)?.seq ?? 0;
  }

  /** Turns what is to be reported into events; written at once if the store accepts it, else by {@link settle}. */
  async append({ raised, cleared }: BoardStep, nowMs: number): Promise<readonly AlertEvent[]> {
    const events: AlertEvent[] = [];
    let last: LogPlace | undefined = this.#unwritten.at(-1) ?? this.#held.at(-1);
    const add = (type: AlertEvent['type'], alertOf: (id: string) => Alert) => {
      const id = nextUlid(nowMs, last?.id, this.#random);
      const event: AlertEvent = { seq: (last?.seq ?? 0) + 1, id, type, atMs: nowMs, alert: alertOf(id) };
      events.push(event);
      last = event;
    };
    for (const alert of cleared) add('alert.cleared', () => alert);
    for (const alert of raised) add('alert.raised', (id) => ({ id, ...alert }));
    this.#unwritten.push(...events);
    await this.settle();
    return events;
  }

  /** Tries to write what could not be written. */
  async settle(): Promise<void> {
    if (this.#unwritten.length === 0) return;
    try {
      await this.#store.write({ events: [...this.#unwritten] });
    } catch (error) {
      if (!isUnwritable(error)) throw error;
    }
  }

  /** Takes a write of this or another process of the hub. */
  #hear(events: readonly AlertEvent[]): void {
    const last = events.at(-1)?.seq ?? 0;
    this.#unwritten = this.#unwritten.filter(({ seq }) => seq > last);
    const pushed = events.filter(({ seq }) => seq > this.seq).map((event) => new PushedAlert(event));
    if (pushed.length === 0) return;
    this.#held = [...this.#held, ...pushed].slice(-HELD);
    this.#begins = this.#store.begins();
    for (const listener of this.#listeners) listener(pushed);
  }

  /** The known events after a place, including those that could not be written. */
  news(afterSeq: number, limit: number): readonly AlertEvent[] {
    const held = this.held(afterSeq, limit)?.map(({ event }) => event) ?? this.#store.read(afterSeq, limit);
    return [...held, ...this.#unwritten.filter(({ seq }) => seq > afterSeq)].slice(0, limit);
  }

  /** Newest first, those that could not be written included. */
  recent(limit: number): readonly AlertEvent[] {
    const unwritten = this.#unwritten.toReversed();
    const held = this.#held.map(({ event }) => event).reverse();
    return [...unwritten, ...(limit <= held.length ? held : this.#store.recent(limit))].slice(0, limit);
  }

  /** The `seq` of the newest event, even if it could not be written. */
  get newestSeq(): number {
    return this.#unwritten.at(-1)?.seq ?? this.seq;
  }

  begins(): LogPlace | undefined {
    return this.#begins;
  }

  async find(id: string): Promise<LogPlace | undefined> {
    return id === this.#begins?.id ? this.#begins : this.#store.find(id);
  }

  async seqBefore(timeMs: number): Promise<number> {
    return this.#store.seqBefore(timeMs);
  }

  held(afterSeq: number, limit: number): readonly PushedAlert[] | undefined {
    if (afterSeq >= this.seq) return [];
    const first = this.#held[0]?.seq;
    if (first === undefined || afterSeq < first - 1) return undefined;
    return this.#held.slice(afterSeq - first + 1, afterSeq - first + 1 + limit);
  }

  async read(afterSeq: number, limit: number): Promise<readonly PushEvent[]> {
    return this.held(afterSeq, limit) ?? this.#store.read(afterSeq, limit).map((event) => new PushedAlert(event));
  }

  onEvents(listener: (events: readonly PushEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

class PushedAlert implements PushEvent {
  readonly event: AlertEvent;
  #json: string | undefined;

  constructor(event: AlertEvent) {
    this.event = event;
  }

  get seq(): number {
    return this.event.seq;
  }

  get id(): string {
    return this.event.id;
  }

  get type(): PushEvent['type'] {
    return this.event.type;
  }

  get timestamp(): string {
    return formatTime(this.event.atMs);
  }

  get json(): string {
    this.#json ??= JSON.stringify(viewAlert(this.event.alert));
    return this.#json;
  }
}
