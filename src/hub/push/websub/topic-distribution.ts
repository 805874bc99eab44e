import type { HttpPoster } from '../../../fetch/http-client.ts';
import { type Alarm, Scheduler } from '../../schedule/scheduler.ts';
import type { HubTopic } from '../../shelves/hub-shelves.ts';
import type { HubLogger } from '../../watch/logger.ts';
import type { TrackedTopic } from './changed-topics.ts';
import { deliverTopic, type TopicDelivered } from './deliver-topic.ts';
import { callbackHost, type Subscribers } from './subscribers.ts';
import type { ReadTopic, TopicDocument } from './topic-document.ts';
import type { WebSubMetrics } from './websub-metrics.ts';
import { NEWS_WAIT_MS, WEBSUB_TRIES, websubRetryMs } from './websub-retry.ts';
import type { ActiveSubscription, WebSubRecord } from './websub-store.ts';

export interface TopicDistributionParts {
  readonly subscribers: Subscribers;
  readonly http: HttpPoster;
  readonly topicAt: (path: string) => HubTopic | undefined;
  readonly tracked: (path: string) => TrackedTopic | undefined;
  readonly read: ReadTopic;
  readonly hubUrl: () => string;
  /** Reads a topic by its path. */
  readonly urlOf: (path: string) => string;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly logger: HubLogger;
  /** Ends a subscription, with a reason. */
  readonly deny: (record: WebSubRecord, reason: string) => void;
  /** Something must be written soon. */
  readonly onNote: () => void;
  /** Counts by outcome. */
  readonly onDelivery: WebSubMetrics['delivered'];
  readonly onBug: (error: unknown) => void;
}

const CONCURRENCY = 64;
/** Changes within this time are delivered together. */
const GATHER_MS = 50;
/** A topic is not delivered more often than this. */
const APART_MS = 1000;
/** The delay before a document that lags behind the log is read again. */
const LAG_MS = 250;
const UNREADABLE_MS = 10_000;
const TOPICS_AT_ONCE = 4;
const TOO_LARGE =
  'The feed has become larger than this hub delivers. Read it, or the part that is new, from its own address.';
const ENDED = 'This feed does not grow any more. The hub names the one that follows it.';

/** A read ends by itself, and serves several subscribers. */
const NEVER = new AbortController().signal;

interface Spread {
  /** The `seq` up to which its document contains the log. */
  seq: number;
  atMs: number;
  isPlanned: boolean;
  /** Read once for all subscribers, and kept while one needs it. */
  reading?: Promise<TopicDocument | 'too-large' | undefined> | undefined;
  users: number;
}

/**
 * Delivers changed topics: one delivery at a time per subscriber, always the newest document, retried if it fails.
 *
 * A failing subscriber waits in a separate line, so that it delays nobody.
 */
export class TopicDistribution {
  readonly #parts: TopicDistributionParts;
  readonly #spreads = new Map<string, Spread>();
  readonly #topics: Scheduler;
  readonly #deliveries: Scheduler;
  /** Running deliveries, with what aborts them. */
  readonly #running = new Map<string, AbortController>();
  #isClosed = false;

  constructor(parts: TopicDistributionParts) {
    this.#parts = parts;
    const { now, alarm, onBug } = parts;
    const rest = { now, alarm, onLate: () => {} };
    this.#topics = new Scheduler({
      ...rest,
      concurrency: TOPICS_AT_ONCE,
      run: async (path) => {
        try {
          this.#spread(path);
        } catch (error) {
          onBug(error);
        }
      },
    });
    this.#deliveries = new Scheduler({ ...rest, concurrency: CONCURRENCY, run: (id) => this.#run(id).catch(onBug) });
  }

  /** A topic has changed: it is delivered soon, with further changes until then. */
  changed(path: string): void {
    const spread = this.#spreads.get(path) ?? { seq: 0, atMs: 0, isPlanned: false, users: 0 };
    this.#spreads.set(path, spread);
    if (spread.isPlanned) return;
    const waitMs = Math.min(spread.atMs + APART_MS - this.#parts.now(), APART_MS);
    this.#planSpread(path, spread, Math.max(waitMs, GATHER_MS));
  }

  /** When no subscriber is left. */
  forget(path: string): void {
    if (this.#parts.subscribers.hasPath(path)) return;
    this.#topics.forget(path);
    this.#spreads.delete(path);
  }

  /** Ends running deliveries; they are sent again after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#running.values()) controller.abort();
    await Promise.all([this.#topics.stop(), this.#deliveries.stop()]);
  }

  #planSpread(path: string, spread: Spread, delayMs: number): void {
    spread.isPlanned = true;
    this.#topics.plan({ id: path, host: path, isLong: false }, delayMs);
  }

  #spread(path: string): void {
    const { topicAt, tracked, subscribers, deny, now } = this.#parts;
    const spread = this.#spreads.get(path);
    if (spread === undefined) return;
    spread.isPlanned = false;
    const topic = topicAt(path);
    const seq = tracked(path)?.seq ?? 0;
    if (topic === undefined) {
      for (const record of subscribers.on(path)) deny(record, ENDED);
      return;
    }
    if (topic.seq < seq) {
      this.#planSpread(path, spread, LAG_MS);
      return;
    }
    spread.seq = seq;
    spread.atMs = now();
    spread.reading = undefined;
    for (const record of subscribers.on(path)) this.plan(record);
  }

  /** Delivers what one subscriber does not have yet, when its turn comes. */
  plan(record: WebSubRecord): void {
    const { active, path } = record;
    const seq = this.#spreads.get(path)?.seq ?? 0;
    if (active === undefined || active.deliveredSeq >= seq || this.#isClosed) return;
    const { tries, nextTryMs = 0, lastTry } = active;
    const hasFailed = tries > 0;
    // New content need not wait as long as a retry.
    const dueMs = hasFailed ? Math.min(nextTryMs, (lastTry?.atMs ?? 0) + NEWS_WAIT_MS) : 0;
    this.#planDelivery(record, hasFailed ? dueMs - this.#parts.now() : 0);
  }

  #planDelivery(record: WebSubRecord, delayMs: number): void {
    const hasFailed = (record.active?.tries ?? 0) > 0;
    const host = hasFailed ? callbackHost(record) : record.id;
    this.#deliveries.plan({ id: record.id, host, isLong: hasFailed }, delayMs);
  }

  async #run(id: string): Promise<void> {
    const { subscribers, now } = this.#parts;
    const record = subscribers.get(id);
    const spread = record === undefined ? undefined : this.#spreads.get(record.path);
    const active = record?.active;
    if (record === undefined || active === undefined || spread === undefined || this.#isClosed) return;
    if (active.expiresMs <= now() || active.deliveredSeq >= spread.seq) return;
    // A running delivery notices at its end that there is more.
    if (this.#running.has(id)) return;
    const controller = new AbortController();
    this.#running.set(id, controller);
    spread.users += 1;
    try {
      await this.#deliver(record, { active, spread, signal: controller.signal });
    } finally {
      this.#running.delete(id);
      spread.users -= 1;
      if (spread.users === 0) spread.reading = undefined;
    }
  }

  async #deliver(record: WebSubRecord, { active, spread, signal }: Sending): Promise<void> {
    const { http, read, hubUrl, urlOf, now, deny } = this.#parts;
    const { path, id } = record;
    const { seq } = spread;
    spread.reading ??= read(path, NEVER);
    const document = await spread.reading;
    if (document === 'too-large') return deny(record, TOO_LARGE);
    if (document === undefined) {
      spread.reading = undefined;
      return this.#planDelivery(record, UNREADABLE_MS);
    }
    const isKnown = document.etag === active.etag;
    const links = { hub: hubUrl(), self: urlOf(path) };
    const nowMs = now();
    const delivered: TopicDelivered = isKnown
      ? { is: 'delivered', outcome: 'unchanged' }
      : await deliverTopic(http, { to: active, document, links, signal, nowMs });
    if (signal.aborted) return;
    if (!isKnown) this.#parts.onDelivery(delivered.is);
    this.#settle(id, delivered, { seq, etag: document.etag, isKnown });
  }

  /** Uses the current subscription: it may have been renewed, or have ended. */
  #settle(id: string, delivered: TopicDelivered, sent: Sent): void {
    const { subscribers, now, random, logger, onNote, onDelivery } = this.#parts;
    const record = subscribers.get(id);
    const active = record?.active;
    if (record === undefined || active === undefined) return;
    const { callback, topic } = active;
    if (delivered.is === 'gone') {
      const { active: _, ...rest } = record;
      subscribers.note(rest);
      onNote();
      this.forget(record.path);
      logger.info({ callback, topic }, 'A subscriber of WebSub is gone (410), and its subscription has ended');
      return;
    }
    const next = activeAfter(active, delivered, { ...sent, nowMs: now(), random: random() });
    if (delivered.is === 'failed' && next.tries === 0) {
      onDelivery('dropped');
      const fields = { callback, topic, outcome: delivered.outcome, tries: WEBSUB_TRIES };
      logger.warn(fields, 'A delivery of WebSub was given up; the subscription stays, and gets the next one');
    }
    const noted = { ...record, active: next };
    subscribers.note(noted);
    onNote();
    const isBehind = next.deliveredSeq < (this.#spreads.get(record.path)?.seq ?? 0);
    if (isBehind) this.#planDelivery(noted, Math.max(0, (next.nextTryMs ?? 0) - now()));
  }
}

interface Sending {
  readonly active: ActiveSubscription;
  readonly spread: Spread;
  readonly signal: AbortSignal;
}

interface Sent {
  readonly seq: number;
  readonly etag: string;
  /** It had the same before, and nothing was sent. */
  readonly isKnown: boolean;
}

function activeAfter(
  active: ActiveSubscription,
  { is, outcome, retryAfterMs: askedMs }: TopicDelivered,
  { seq, etag, isKnown, nowMs, random }: Sent & { readonly nowMs: number; readonly random: number },
): ActiveSubscription {
  const { nextTryMs: _, ...rest } = active;
  const deliveredSeq = Math.max(seq, active.deliveredSeq);
  if (isKnown) return { ...rest, deliveredSeq, tries: 0 };
  const lastTry = { atMs: nowMs, outcome };
  if (is === 'delivered') return { ...rest, deliveredSeq, etag, deliveredMs: nowMs, lastTry, tries: 0 };
  const tries = active.tries + 1;
  if (tries >= WEBSUB_TRIES) return { ...rest, deliveredSeq, lastTry, tries: 0 };
  return { ...rest, lastTry, tries, nextTryMs: nowMs + websubRetryMs(tries, random, askedMs) };
}
