import { formatTime } from '../../codecs/primitives/time.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { AlertEvent } from './alert.ts';
import { alertMail, type Mail } from './alert-mail.ts';

/** Sends a mail; throws when the server does not take it. Ends soon when the signal is aborted. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>;

/** The state of the mails, for the admin. */
export interface MailStatus {
  /** Alerts that are not sent yet. */
  readonly waiting: number;
  readonly last_sent_at?: string;
  /** Absent while mails are taken. */
  readonly failing_since?: string;
  readonly failures?: number;
  readonly error?: string;
  readonly next_try_at?: string;
}

export interface MailSenderParts {
  readonly send: SendMail;
  readonly log: { readonly newestSeq: number; news(afterSeq: number, limit: number): readonly AlertEvent[] };
  /** The last event that was sent, as it was kept; undefined before the first. */
  readonly sentSeq: number | undefined;
  /** Keeps it. May throw. */
  readonly keepSent: (seq: number) => Promise<void>;
  readonly intervalMs: number;
  readonly baseUrl: () => string;
  readonly now: () => number;
  readonly alarm: Alarm;
  readonly onTurn: (error: Error | undefined) => void;
}

/** Events within this time go into one mail. */
const GATHER_MS = 2000;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = 3600_000;
const MOST_EVENTS = 1000;

/**
 * Mails the events of the log of alerts: at once after a quiet time, else one mail per interval. A refused mail is retried later and later, together with
 * newer events. A hub that crashes after a mail sends it again, under the same id.
 */
export class MailSender {
  readonly #parts: MailSenderParts;
  readonly #stop = new AbortController();
  #sentSeq: number;
  #soonestMs = Number.NEGATIVE_INFINITY;
  #cancelAlarm: (() => void) | undefined;
  #isSending = false;
  #failures = 0;
  #failingSinceMs: number | undefined;
  #error: string | undefined;
  #dueMs: number | undefined;
  #lastSentMs: number | undefined;

  constructor(parts: MailSenderParts) {
    this.#parts = parts;
    // When mails are switched on, only new events are sent, even if the first mail is refused before a restart.
    this.#sentSeq = Math.min(parts.sentSeq ?? parts.log.newestSeq, parts.log.newestSeq);
    if (parts.sentSeq === undefined) void this.#keep();
  }

  get status(): MailStatus {
    const failing = this.#failingSinceMs;
    return {
      waiting: this.#parts.log.newestSeq - this.#sentSeq,
      ...(this.#lastSentMs !== undefined && { last_sent_at: formatTime(this.#lastSentMs) }),
      ...(failing !== undefined && { failing_since: formatTime(failing), failures: this.#failures }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(failing !== undefined && this.#dueMs !== undefined && { next_try_at: formatTime(this.#dueMs) }),
    };
  }

  /** There may be something to send. */
  nudge(): void {
    const { log, now, intervalMs } = this.#parts;
    const gatherMs = Math.min(GATHER_MS, intervalMs);
    if (log.newestSeq > this.#sentSeq) this.#arm(Math.max(gatherMs, this.#soonestMs - now()));
  }

  close(): void {
    this.#stop.abort();
    this.#cancelAlarm?.();
  }

  #arm(ms: number): void {
    if (this.#cancelAlarm !== undefined || this.#isSending || this.#stop.signal.aborted) return;
    this.#dueMs = this.#parts.now() + ms;
    this.#cancelAlarm = this.#parts.alarm(ms, () => {
      this.#cancelAlarm = undefined;
      void this.#sendNow();
    });
  }

  async #sendNow(): Promise<void> {
    const { log, send, baseUrl, now, intervalMs, onTurn } = this.#parts;
    const events = log.news(this.#sentSeq, MOST_EVENTS);
    const last = events.at(-1);
    if (last === undefined) return;
    this.#isSending = true;
    try {
      await send(alertMail(events, { baseUrl: baseUrl() }), this.#stop.signal);
    } catch (error) {
      this.#isSending = false;
      if (!this.#stop.signal.aborted) this.#failed(error);
      return;
    }
    this.#isSending = false;
    this.#sentSeq = last.seq;
    this.#lastSentMs = now();
    this.#soonestMs = now() + intervalMs;
    if (this.#failingSinceMs !== undefined) onTurn(undefined);
    this.#failures = 0;
    this.#failingSinceMs = undefined;
    this.#error = undefined;
    await this.#keep();
    this.nudge();
  }

  async #keep(): Promise<void> {
    try {
      await this.#parts.keepSent(this.#sentSeq);
    } catch {
      // A disk that does not take it costs one mail that is sent twice.
    }
  }

  #failed(error: unknown): void {
    const { now, onTurn } = this.#parts;
    const fault = error instanceof Error ? error : new Error(String(error));
    if (this.#failingSinceMs === undefined) onTurn(fault);
    this.#failingSinceMs ??= now();
    this.#error = fault.message;
    this.#failures += 1;
    this.#arm(Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS));
  }
}
