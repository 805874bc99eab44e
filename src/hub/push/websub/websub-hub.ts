import type { SubscriptionRequest } from '../../../codecs/websub/hub-request.ts';
import type { HttpClient, HttpPoster } from '../../../fetch/http-client.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import type { HubTopic } from '../../shelves/hub-shelves.ts';
import type { HubLogger } from '../../watch/logger.ts';
import type { ChangeTail } from '../change-tail.ts';
import { ChangedTopics } from './changed-topics.ts';
import { type IntentParts, Intents } from './intents.ts';
import { Subscribers, websubId } from './subscribers.ts';
import { TopicDistribution, type TopicDistributionParts } from './topic-distribution.ts';
import type { ReadTopic } from './topic-document.ts';
import type { PendingIntent, WebSubRecord, WebSubState, WebSubStore } from './websub-store.ts';

export interface WebSubHubParts {
  readonly store: WebSubStore;
  readonly tail: Pick<ChangeTail, 'seq' | 'read' | 'onEvents'>;
  readonly http: HttpClient & HttpPoster;
  readonly topicAt: (path: string) => HubTopic | undefined;
  readonly read: ReadTopic;
  readonly hubUrl: () => string;
  readonly urlOf: (path: string) => string;
  readonly now: () => number;
  readonly alarm: Alarm;
  readonly random: () => number;
  readonly challenge: () => string;
  readonly logger: HubLogger;
  readonly onAnswer: IntentParts['onAnswer'];
  readonly onDelivery: TopicDistributionParts['onDelivery'];
  readonly onBug: (error: unknown) => void;
}

const DAY_SECONDS = 86_400;
const SHORTEST_LEASE = DAY_SECONDS;
const LONGEST_LEASE = 30 * DAY_SECONDS;
const USUAL_LEASE = 10 * DAY_SECONDS;
/** The results of deliveries are written together. */
const FLUSH_MS = 250;
/** How often ended leases are dropped; nothing is delivered after their end. */
const SWEEP_MS = 60_000;

/** Asks callbacks and delivers to them. */
interface HubWork {
  readonly topics: ChangedTopics;
  readonly intents: Intents;
  readonly distribution: TopicDistribution;
}

/** A hub of W3C WebSub for the topics of this hub (https://www.w3.org/TR/websub/). */
export class WebSubHub {
  readonly subscribers: Subscribers;
  readonly #parts: WebSubHubParts;
  /** Absent while another process asks and delivers. */
  #work: HubWork | undefined;
  #cancelFlush: (() => void) | undefined;
  #cancelSweep: () => void = () => {};
  #isClosed = false;

  constructor(parts: WebSubHubParts) {
    this.#parts = parts;
    this.subscribers = new Subscribers(parts.store, parts.store.load(), (record) => this.#heard(record));
  }

  /** Continues pending requests, and delivers what has changed since the last stop. Called once the hub listens. */
  begin(): void {
    if (this.#work !== undefined || this.#isClosed) return;
    const work = this.#newWork(this.#parts.store.load());
    const { topics, intents, distribution } = work;
    this.#work = work;
    for (const record of this.subscribers.all()) if (record.pending !== undefined) intents.plan(record);
    for (const path of this.subscribers.paths()) {
      const seq = topics.get(path)?.seq ?? Number.POSITIVE_INFINITY;
      const isBehind = this.subscribers.on(path).some(({ active }) => (active?.deliveredSeq ?? seq) < seq);
      if (isBehind) distribution.changed(path);
    }
    topics.begin();
    this.#sweepLater();
  }

  /** Asks and delivers nothing until it begins again, because another process does. */
  async rest(): Promise<void> {
    const { topics, intents, distribution } = this.#work ?? {};
    this.#work = undefined;
    this.#cancelSweep();
    await Promise.all([topics?.close(), intents?.close(), distribution?.close()]);
  }

  /**
   * Takes a request for a topic. It is durable when this resolves, and takes effect once the callback has confirmed it: before that, the active subscription
   * is unchanged.
   */
  async request(path: string, wish: SubscriptionRequest): Promise<void> {
    const { mode, topic, callback, secret, method, verifyToken } = wish;
    const id = websubId(topic, callback);
    const known = this.subscribers.get(id);
    // There is nothing to end, and nobody to ask.
    if (mode === 'unsubscribe' && known === undefined) return;
    const pending: PendingIntent = {
      mode,
      topic,
      callback,
      ...(secret !== undefined && { secret }),
      ...(method !== undefined && { method }),
      ...(verifyToken !== undefined && { verifyToken }),
      ...(mode === 'subscribe' && { leaseSeconds: grantedLease(wish.leaseSeconds) }),
      askedMs: this.#parts.now(),
      seq: this.#parts.tail.seq,
      tries: 0,
    };
    const record = { ...known, id, path, pending };
    // Later changes are found after this place, even after a crash.
    if (this.#work !== undefined) this.subscribers.noteSeq(this.#work.topics.seq, new Map());
    await this.subscribers.put(record);
    this.#work?.topics.track(path);
    this.#work?.intents.plan(record);
  }

  /** Ends a subscription, or a request for one, at once, and tells the callback. False if there is none. */
  deny(id: string, reason: string): boolean {
    const record = this.subscribers.get(id);
    const of = record?.active ?? record?.pending;
    if (record === undefined || of === undefined) return false;
    // It is already being told.
    if (record.pending?.mode === 'denied') return true;
    const { topic, callback } = of;
    const { active: _, ...rest } = record;
    const pending: PendingIntent = {
      mode: 'denied',
      topic,
      callback,
      reason,
      askedMs: this.#parts.now(),
      seq: this.#parts.tail.seq,
      tries: 0,
    };
    const denied: WebSubRecord = { ...rest, pending };
    this.subscribers.note(denied);
    this.#flushSoon();
    this.#work?.intents.plan(denied);
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelFlush?.();
    await this.rest();
    await this.subscribers.flush();
  }

  #newWork(known: WebSubState): HubWork {
    const parts = { ...this.#parts, subscribers: this.subscribers };
    const onNote = () => this.#flushSoon();
    const topics: ChangedTopics = new ChangedTopics({
      ...parts,
      known,
      onChanged: ({ path }) => {
        this.#flushSoon();
        distribution.changed(path);
      },
    });
    const distribution = new TopicDistribution({
      ...parts,
      tracked: (path) => topics.get(path),
      deny: (record, reason) => this.deny(record.id, reason),
      onNote,
    });
    const intents = new Intents({ ...parts, onActive: (record) => distribution.plan(record), onNote });
    return { topics, intents, distribution };
  }

  /** Requests that another process has accepted are handled by the process that asks and delivers. */
  #heard(record: WebSubRecord): void {
    if (this.#work === undefined || record.pending === undefined) return;
    this.#work.topics.track(record.path);
    this.#work.intents.plan(record);
    // A write of ours on its way may follow it in the store.
    this.subscribers.note(record);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isClosed || this.#cancelFlush !== undefined) return;
    this.#cancelFlush = this.#parts.alarm(FLUSH_MS, () => {
      this.#cancelFlush = undefined;
      // The disk may accept it later; until then a crash repeats deliveries.
      void this.subscribers.flush().then((isWritten) => isWritten || this.#flushSoon(), this.#parts.onBug);
    });
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#parts.alarm(SWEEP_MS, () => {
      try {
        this.#sweep();
      } catch (error) {
        this.#parts.onBug(error);
      }
      if (this.#work !== undefined) this.#sweepLater();
    });
  }

  #sweep(): void {
    const { now, logger } = this.#parts;
    const ended = [...this.subscribers.all()].filter(({ active }) => active !== undefined && active.expiresMs <= now());
    for (const { active, ...record } of ended) {
      this.subscribers.note(record);
      this.#flushSoon();
      this.#work?.topics.forget(record.path);
      this.#work?.distribution.forget(record.path);
      logger.debug({ topic: active?.topic, callback: active?.callback }, 'The lease of a subscription has ended');
    }
  }
}

/** The default, unless requested otherwise; every lease has an end. */
function grantedLease(wishedSeconds = USUAL_LEASE): number {
  return Math.min(Math.max(wishedSeconds, SHORTEST_LEASE), LONGEST_LEASE);
}
