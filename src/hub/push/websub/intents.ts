import type { HttpClient } from '../../../fetch/http-client.ts';
import { type Alarm, Scheduler } from '../../schedule/scheduler.ts';
import type { HubLogger } from '../../watch/logger.ts';
import { askCallback, type CallbackAnswer, tellDenied } from './ask-callback.ts';
import { callbackHost, type Subscribers } from './subscribers.ts';
import type { WebSubMetrics } from './websub-metrics.ts';
import type { PendingIntent, WebSubRecord } from './websub-store.ts';

export interface IntentParts {
  readonly subscribers: Subscribers;
  readonly http: HttpClient;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** An unguessable text of letters, digits, `-` and `_`; different each time. */
  readonly challenge: () => string;
  readonly logger: HubLogger;
  /** The callback has confirmed it, and it is active. */
  readonly onActive: (record: WebSubRecord) => void;
  /** Something must be written soon. */
  readonly onNote: () => void;
  /** Counts by mode and outcome. */
  readonly onAnswer: WebSubMetrics['asked'];
  readonly onBug: (error: unknown) => void;
}

const CONCURRENCY = 16;
/** Per host. */
const LANES = 4;
/** After an answer that says nothing about what the subscriber wants. */
const AGAIN_MS = [5000, 30_000];
/** An older request is no longer wanted: it was kept over a long stop. */
const LONGEST_PENDING_MS = 3600_000;

/** Asks callbacks whether they want what was requested in their name, and tells them what has ended. */
export class Intents {
  readonly #parts: IntentParts;
  readonly #scheduler: Scheduler;
  readonly #asking = new Map<string, AbortController>();
  #isClosed = false;

  constructor(parts: IntentParts) {
    this.#parts = parts;
    const { now, alarm } = parts;
    this.#scheduler = new Scheduler({
      concurrency: CONCURRENCY,
      now,
      alarm,
      run: (id) => this.#ask(id).catch(parts.onBug),
      onLate: () => {},
    });
  }

  /** Replaces an earlier question: an answer to that no longer counts. */
  plan(record: WebSubRecord, delayMs = 0): void {
    if (this.#isClosed) return;
    this.#asking.get(record.id)?.abort();
    this.#scheduler.plan({ id: record.id, host: laneOf(record), isLong: false }, delayMs);
  }

  /** Ends running questions; they are asked again after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const controller of this.#asking.values()) controller.abort();
    await this.#scheduler.stop();
  }

  async #ask(id: string): Promise<void> {
    const { subscribers, http, now, challenge } = this.#parts;
    const pending = subscribers.get(id)?.pending;
    if (pending === undefined || this.#isClosed) return;
    const controller = new AbortController();
    const { signal } = controller;
    this.#asking.set(id, controller);
    const askedMs = now();
    const isLate = askedMs - pending.askedMs > LONGEST_PENDING_MS;
    const asking =
      pending.mode === 'denied'
        ? tellDenied(http, { pending, signal })
        : askCallback(http, { pending, challenge: challenge(), signal });
    const answer = await asking.finally(() => this.#asking.delete(id));
    const record = subscribers.get(id);
    // Another request came in the meantime, or the hub is stopping.
    if (record?.pending !== pending || signal.aborted) return;
    if (!answer.isConfirmed && answer.again && !isLate && pending.tries < AGAIN_MS.length) {
      const again = { ...record, pending: { ...pending, tries: pending.tries + 1 } };
      subscribers.note(again);
      this.#parts.onNote();
      this.plan(again, AGAIN_MS[pending.tries]);
      return;
    }
    this.#settle(record, pending, { ...answer, askedMs });
  }

  #settle(record: WebSubRecord, pending: PendingIntent, answer: CallbackAnswer & { readonly askedMs: number }) {
    const { subscribers, logger, onActive, onAnswer, onNote } = this.#parts;
    const { isConfirmed, outcome, askedMs } = answer;
    const { mode, callback, topic } = pending;
    onAnswer(mode, isConfirmed);
    const { pending: _, active, ...rest } = record;
    const settled: WebSubRecord = {
      ...rest,
      lastChallenge: { atMs: askedMs, mode, outcome },
      ...activeAfter(record, pending, answer),
    };
    subscribers.note(settled);
    onNote();
    const fields = { topic, callback, mode, outcome };
    if (!isConfirmed) logger.info(fields, 'A callback of WebSub did not confirm; what counted before stays');
    else logger.debug(fields, 'A callback of WebSub has confirmed');
    if (isConfirmed && mode === 'subscribe') onActive(settled);
  }
}

/** A few questions per host at a time, so that one that hangs does not delay all of them. Ends are reported at once. */
function laneOf(record: WebSubRecord): string {
  if (record.pending?.mode === 'denied') return record.id;
  return `${callbackHost(record)} ${Number.parseInt(record.id.slice(0, 4), 16) % LANES}`;
}

/** The new active subscription. A renewal continues at the state of its deliveries; an answer shows that the subscriber is reachable again. */
function activeAfter(
  { active }: WebSubRecord,
  pending: PendingIntent,
  { isConfirmed, askedMs }: { readonly isConfirmed: boolean; readonly askedMs: number },
): Pick<WebSubRecord, 'active'> {
  if (pending.mode === 'denied') return {};
  if (!isConfirmed) return active === undefined ? {} : { active };
  if (pending.mode === 'unsubscribe') return {};
  const { topic, callback, secret, method = 'sha256', leaseSeconds = 0, seq } = pending;
  const { deliveredSeq = seq, etag, deliveredMs, lastTry } = active ?? {};
  return {
    active: {
      topic,
      callback,
      ...(secret !== undefined && { secret }),
      method,
      confirmedMs: askedMs,
      expiresMs: askedMs + leaseSeconds * 1000,
      deliveredSeq,
      ...(etag !== undefined && { etag }),
      ...(deliveredMs !== undefined && { deliveredMs }),
      ...(lastTry !== undefined && { lastTry }),
      tries: 0,
    },
  };
}
