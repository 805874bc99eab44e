import type { DeliverMove } from './next-move.ts';
import { politeDelayMs, type RetryRules, retryDelayMs } from './retry-schedule.ts';
import type { WebhookAnswer } from './send-webhook.ts';
import type { DeadLetter, FixedDelivery, SubscriptionCursor, SubscriptionStanding } from './subscription.ts';

/** The state of a subscription after an attempt. Pure functions. */

/** After this many failed deliveries in a row, or this long without success, it is disabled until somebody enables it (SW-D5). */
const MOST_DEAD_IN_ROW = 2;
const LONGEST_FAILING_MS = 5 * 86_400_000;
const MOST_CHALLENGES = 5;

export interface AfterParts extends RetryRules {
  readonly epoch: string;
  readonly nowMs: number;
}

/** The delivery succeeded: the cursor moves. */
export function standingAfterTaken(
  standing: SubscriptionStanding,
  { delivery, events }: Pick<DeliverMove, 'delivery' | 'events'>,
  { epoch, nowMs }: Pick<AfterParts, 'epoch' | 'nowMs'>,
): SubscriptionStanding {
  const { failingSinceMs: _failing, reason: _reason, ...rest } = standing;
  return { ...passed(rest, { delivery, events, epoch }), status: 'active', deadInRow: 0, takenMs: nowMs };
}

export interface Failure {
  readonly standing: SubscriptionStanding;
  /** Set after the last attempt. */
  readonly dead?: Omit<DeadLetter, 'subscription'>;
  readonly waitMs: number;
}

/** The delivery failed: it is retried, or kept as a dead letter. */
export function standingAfterFailure(
  standing: SubscriptionStanding,
  { delivery, events }: Pick<DeliverMove, 'delivery' | 'events'>,
  answer: WebhookAnswer,
  parts: AfterParts,
): Failure {
  const { nowMs, epoch } = parts;
  const { failingSinceMs = nowMs } = standing;
  const reason = answer.error?.message ?? 'It failed.';
  if (answer.outcome === 'gone') return { standing: { ...standing, status: 'gone', reason }, waitMs: 0 };

  const attempts = delivery.attempts + 1;
  const delayMs = retryDelayMs(attempts, parts);
  const isTooLong = nowMs - failingSinceMs >= LONGEST_FAILING_MS;
  if (delayMs !== undefined) {
    const waitMs = politeDelayMs(delayMs, answer.retryAfterMs);
    const next = { ...delivery, attempts, dueMs: nowMs + waitMs };
    const failing = { ...standing, delivery: next, failingSinceMs, reason } as const;
    if (isTooLong) return { standing: { ...failing, status: 'disabled', reason: tooLong(reason) }, waitMs };
    return { standing: { ...failing, status: 'failing' }, waitMs };
  }
  const deadInRow = standing.deadInRow + 1;
  const after = { ...passed(standing, { delivery, events, epoch }), failingSinceMs, deadInRow };
  const dead = letterOf({ ...delivery, attempts }, { events, reason, nowMs });
  const isOver = deadInRow >= MOST_DEAD_IN_ROW || isTooLong;
  const said = isOver ? (isTooLong ? tooLong(reason) : usedUp(reason)) : reason;
  return {
    standing: { ...after, status: isOver ? 'disabled' : 'failing', reason: said },
    ...(events.length > 0 && { dead }),
    waitMs: 0,
  };
}

/** The endpoint returned the challenge: it receives events from now on. */
export function standingAfterConsent(standing: SubscriptionStanding, nowMs: number): SubscriptionStanding {
  const { challenge: _challenge, reason: _reason, ...rest } = standing;
  return { ...rest, status: 'active', takenMs: nowMs };
}

/** It did not: it is asked again, a few times. */
export function standingAfterSilence(
  standing: SubscriptionStanding,
  answer: WebhookAnswer,
  parts: AfterParts,
): { readonly standing: SubscriptionStanding; readonly waitMs: number } {
  const { challenge } = standing;
  const reason = answer.error?.message ?? 'It did not answer with the challenge.';
  if (answer.outcome === 'gone') return { standing: { ...standing, status: 'gone', reason }, waitMs: 0 };
  const attempts = (challenge?.attempts ?? 0) + 1;
  const delayMs = attempts < MOST_CHALLENGES ? retryDelayMs(attempts, parts) : undefined;
  if (challenge === undefined || delayMs === undefined) {
    const said = `It did not confirm that it wants to be told. ${reason}`;
    return { standing: { ...standing, status: 'disabled', reason: said }, waitMs: 0 };
  }
  const waitMs = politeDelayMs(delayMs, answer.retryAfterMs);
  const next = { ...challenge, attempts, dueMs: parts.nowMs + waitMs };
  return { standing: { ...standing, challenge: next, reason }, waitMs };
}

/** Moves on after a delivery that succeeded or was given up. */
function passed(
  { delivery: current, ...standing }: SubscriptionStanding,
  { delivery, events, epoch }: Pick<DeliverMove, 'delivery' | 'events'> & { readonly epoch: string },
): SubscriptionStanding {
  // Another delivery may have been fixed in the meantime.
  const rest = current !== undefined && current.id !== delivery.id ? { ...standing, delivery: current } : standing;
  const last = events.at(-1);
  if (delivery.origin === 'resync') return { ...rest, cursor: cursorAt(delivery, rest.cursor, epoch) };
  if (delivery.origin === 'again') return withoutFirst(rest, delivery.id);
  if (delivery.origin === 'replay') return replayedTo(rest, last?.seq ?? 0);
  const cursor: SubscriptionCursor = last === undefined ? rest.cursor : { seq: last.seq, id: last.id, epoch };
  return { ...rest, cursor };
}

function cursorAt({ from }: FixedDelivery, cursor: SubscriptionCursor, epoch: string): SubscriptionCursor {
  return { ...cursor, ...from, epoch };
}

function withoutFirst({ again = [], ...standing }: SubscriptionStanding, id: string): SubscriptionStanding {
  const left = again.filter((one) => one.id !== id);
  return left.length === 0 ? standing : { ...standing, again: left };
}

function replayedTo({ replay, ...standing }: SubscriptionStanding, seq: number): SubscriptionStanding {
  if (replay === undefined) return standing;
  const afterSeq = Math.max(seq, replay.afterSeq);
  return afterSeq >= replay.toSeq ? standing : { ...standing, replay: { ...replay, afterSeq } };
}

function letterOf(
  { id, seqs, attempts }: FixedDelivery,
  {
    events,
    reason,
    nowMs,
  }: { readonly events: DeliverMove['events']; readonly reason: string; readonly nowMs: number },
): Omit<DeadLetter, 'subscription'> {
  const [first] = events;
  return { delivery: id, seqs, from: first?.id ?? '', to: events.at(-1)?.id ?? '', atMs: nowMs, attempts, reason };
}

function tooLong(reason: string): string {
  return `No delivery was taken for five days. ${reason}`;
}

function usedUp(reason: string): string {
  return `${MOST_DEAD_IN_ROW} deliveries in a row were not taken in any of their attempts. ${reason}`;
}
