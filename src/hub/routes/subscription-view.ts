import { formatTime } from '../../codecs/primitives/time.ts';
import { schemeOf, shownSecret } from '../push/webhooks/secret-texts.ts';
import type { DeadLetter, DeliveryAttempt, Subscription } from '../push/webhooks/subscription.ts';
import { subscriberCursor } from '../push/webhooks/webhook-message.ts';

/** A subscription as the API shows it, without its secrets. */
export function viewSubscription(subscription: Subscription, lag: number, nowMs: number) {
  const { id, url, topic, filter, form, batch, owner, label, receipts, proofs, verify, createdMs, secrets, standing } =
    subscription;
  const { status, reason, cursor, replay, delivery, failingSinceMs, takenMs } = standing;
  return {
    id,
    url,
    topic,
    filter,
    format: form,
    batch,
    owner: owner.kind,
    ...(label !== undefined && { label }),
    ...(receipts === true && { receipts }),
    ...(proofs === true && { proofs }),
    verify,
    status,
    ...(reason !== undefined && { reason }),
    cursor: cursor.id === undefined ? null : subscriberCursor(cursor),
    lag,
    ...(replay !== undefined && { replaying: true }),
    ...(delivery !== undefined &&
      delivery.attempts > 0 && { attempts: delivery.attempts, next_attempt_at: formatTime(delivery.dueMs) }),
    ...(failingSinceMs !== undefined && { failing_since: formatTime(failingSinceMs) }),
    ...(takenMs !== undefined && { last_success_at: formatTime(takenMs) }),
    signing: signingOf(secrets, nowMs),
    created_at: formatTime(createdMs),
  };
}

/** Includes what is shown only once: when it is made, and when its secret is rotated. */
export function viewNewSecret(subscription: Subscription, lag: number, nowMs: number) {
  const [current] = subscription.secrets;
  const view = viewSubscription(subscription, lag, nowMs);
  return { ...view, ...(current !== undefined && shownSecret(current)) };
}

export function viewAttempt({
  delivery,
  type,
  attempt,
  atMs,
  tookMs,
  outcome,
  status,
  answer,
  error,
  from,
  to,
  seqs,
}: DeliveryAttempt) {
  return {
    id: delivery,
    type,
    attempt,
    at: formatTime(atMs),
    duration_ms: Math.round(tookMs),
    outcome,
    ...(status !== undefined && { status }),
    ...(answer !== undefined && { answer }),
    ...(error !== undefined && { error }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    events: seqs.length,
  };
}

export function viewDeadLetter({ delivery, from, to, atMs, attempts, reason, seqs }: DeadLetter) {
  return { id: delivery, from, to, events: seqs.length, attempts, at: formatTime(atMs), reason };
}

function signingOf(secrets: Subscription['secrets'], nowMs: number) {
  return secrets
    .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
    .map((secret) => ({
      scheme: schemeOf(secret),
      ...('public_key' in shownSecret(secret) && shownSecret(secret)),
      ...(secret.untilMs !== undefined && { until: formatTime(secret.untilMs) }),
    }));
}
