import type { PushEvent, PushLog } from '../push-log.ts';
import { LONGEST_WAIT_MS } from './retry-schedule.ts';
import type { FixedDelivery, Subscription, SubscriptionStanding } from './subscription.ts';
import { fixedEvents, wantedEvents } from './wanted-events.ts';
import { deliveryId, noticeId } from './webhook-ids.ts';

/** What a subscription does next. */
export type Move =
  /** Nothing, until something happens. */
  | { readonly kind: 'rest'; readonly seenSeq: number; readonly standing: SubscriptionStanding }
  | { readonly kind: 'wait'; readonly ms: number; readonly seenSeq: number; readonly standing: SubscriptionStanding }
  | { readonly kind: 'verify' }
  | DeliverMove;

export interface DeliverMove {
  readonly kind: 'deliver';
  /** With the delivery fixed; a replay may be over with it. */
  readonly standing: SubscriptionStanding;
  readonly delivery: FixedDelivery;
  readonly events: readonly PushEvent[];
  /** Whether it was fixed before. */
  readonly isKnown: boolean;
}

export interface MoveParts {
  readonly log: PushLog;
  readonly nowMs: number;
  /** Everything up to here was examined; at least up to the cursor. */
  readonly seenSeq: number;
  /** Since when an incomplete batch has been waiting. */
  readonly waitingSinceMs: number | undefined;
  wants(event: PushEvent): boolean;
}

export async function nextMove(subscription: Subscription, parts: MoveParts): Promise<Move> {
  const { standing } = subscription;
  const { nowMs, seenSeq } = parts;
  if (standing.status === 'disabled' || standing.status === 'gone') return { kind: 'rest', seenSeq, standing };
  if (standing.status === 'pending') {
    const leftMs = waitLeftMs(standing.challenge?.dueMs, nowMs);
    return leftMs > 0 ? { kind: 'wait', ms: leftMs, seenSeq, standing } : { kind: 'verify' };
  }
  const leftMs = waitLeftMs(standing.delivery?.dueMs, nowMs);
  if (leftMs > 0) return { kind: 'wait', ms: leftMs, seenSeq, standing };
  return (
    (await knownDelivery(subscription, parts)) ??
    resync(subscription, parts) ??
    (await onceMore(subscription, parts)) ??
    (await replayed(subscription, parts)) ??
    (await newEvents(subscription, parts))
  );
}

/** The delivery that was fixed before. It becomes void if the log no longer has its events. */
async function knownDelivery({ standing }: Subscription, { log }: MoveParts): Promise<DeliverMove | undefined> {
  const { delivery } = standing;
  if (delivery === undefined) return undefined;
  if (delivery.origin === 'resync') return { kind: 'deliver', standing, delivery, events: [], isKnown: true };
  const events = await fixedEvents(log, delivery.seqs);
  return events.length === delivery.seqs.length
    ? { kind: 'deliver', standing, delivery, events, isKnown: true }
    : undefined;
}

/** The log does not reach back to the cursor, or is another one since a backup was restored. */
function resync({ id, standing }: Subscription, { log, seenSeq, nowMs }: MoveParts): DeliverMove | undefined {
  const { cursor } = standing;
  const begins = log.begins();
  const isCut = begins !== undefined && seenSeq < begins.seq;
  const isOther = (cursor.epoch !== log.epoch && cursor.id !== undefined) || cursor.seq > log.seq;
  if (!isCut && !isOther) return undefined;
  const { epoch } = log;
  const from = { ...(isCut ? begins : { ...cursor, seq: Math.min(cursor.seq, log.seq) }), epoch };
  const which = `${from.id ?? 'start'}${epoch}`;
  const delivery = fixed({ id: noticeId(id, 'resync', which), origin: 'resync', seqs: [], from }, nowMs);
  return { kind: 'deliver', standing: { ...standing, delivery }, delivery, events: [], isKnown: false };
}

/** Deliveries that are requested again, one by one. Those that the log no longer has are dropped. */
async function onceMore({ standing }: Subscription, { log, nowMs }: MoveParts): Promise<DeliverMove | undefined> {
  let { again = [] } = standing;
  for (; again.length > 0; again = again.slice(1)) {
    const [wanted] = again;
    const events = wanted === undefined ? [] : await fixedEvents(log, wanted.seqs);
    if (wanted === undefined || events.length !== wanted.seqs.length) continue;
    const delivery = fixed({ ...wanted, origin: 'again' }, nowMs);
    return { kind: 'deliver', standing: { ...standing, again, delivery }, delivery, events, isKnown: false };
  }
  return undefined;
}

async function replayed(subscription: Subscription, parts: MoveParts): Promise<DeliverMove | undefined> {
  const { id, standing, batch } = subscription;
  const { log, nowMs } = parts;
  let { replay } = standing;
  while (replay !== undefined && replay.afterSeq < replay.toSeq) {
    const found = await wantedEvents(log, { ...replay, most: batch.max, wants: parts.wants });
    const { events, seenSeq } = found;
    if (events.length > 0) {
      const delivery = fixed({ id: deliveryId(id, events), origin: 'replay', seqs: seqsOf(events) }, nowMs);
      return { kind: 'deliver', standing: { ...standing, replay, delivery }, delivery, events, isKnown: false };
    }
    replay = found.isFull ? { ...replay, afterSeq: seenSeq } : undefined;
  }
  return undefined;
}

async function newEvents(subscription: Subscription, parts: MoveParts): Promise<Move> {
  const { id, batch } = subscription;
  const { replay: _replay, again: _again, delivery: _delivery, ...standing } = subscription.standing;
  const { log, nowMs, waitingSinceMs = nowMs } = parts;
  const query = { afterSeq: parts.seenSeq, toSeq: log.seq, most: batch.max, wants: parts.wants };
  const { events, seenSeq, isFull } = await wantedEvents(log, query);
  if (events.length === 0) {
    return isFull ? { kind: 'wait', ms: 0, seenSeq, standing } : { kind: 'rest', seenSeq, standing };
  }
  const waitMs = Math.min(waitingSinceMs + batch.waitMs - nowMs, batch.waitMs);
  // Waiting events are examined again together with later ones.
  if (!isFull && waitMs > 0) return { kind: 'wait', ms: waitMs, seenSeq: parts.seenSeq, standing };
  const delivery = fixed({ id: deliveryId(id, events), origin: 'log', seqs: seqsOf(events) }, nowMs);
  return { kind: 'deliver', standing: { ...standing, delivery }, delivery, events, isKnown: false };
}

function fixed(delivery: Pick<FixedDelivery, 'id' | 'origin' | 'seqs' | 'from'>, nowMs: number): FixedDelivery {
  return { ...delivery, attempts: 0, sinceMs: nowMs, dueMs: nowMs };
}

function seqsOf(events: readonly PushEvent[]): number[] {
  return events.map(({ seq }) => seq);
}

/** The clock may have been set in the meantime. */
function waitLeftMs(dueMs: number | undefined, nowMs: number): number {
  const leftMs = (dueMs ?? nowMs) - nowMs;
  return leftMs > LONGEST_WAIT_MS ? 0 : leftMs;
}
