import type { WebhookForm } from '../../../codecs/webhooks/body.ts';
import type { ChangeReceipts } from '../../../dialects/shelf.ts';
import type { DeliverMove } from './next-move.ts';
import type { Subscription } from './subscription.ts';

/** How long a delivery waits for a checkpoint that covers its changes. One is signed each second while there are changes. */
const LONGEST_WAIT_MS = 10_000;
/** The maximum size of all proofs of a delivery. Changes beyond that carry only the address of their receipt. */
const MOST_PROOF_BYTES = 64_000;
/** The forms that send a change as data. */
const PROVING: readonly WebhookForm[] = ['tidings', 'cloudevents'];

/**
 * Adds the checkpoint for the proofs of a delivery, which is chosen once: all attempts send the same bytes. Undefined while none covers its changes and
 * waiting is worthwhile.
 */
export function withCheckpoint(
  { proofs, form }: Pick<Subscription, 'proofs' | 'form'>,
  move: DeliverMove,
  { receipts, nowMs }: { readonly receipts: ChangeReceipts | undefined; readonly nowMs: number },
): DeliverMove | undefined {
  const { delivery, standing, events } = move;
  const last = events.findLast(({ change }) => change !== undefined);
  const isFixed = delivery.checkpoint !== undefined || delivery.attempts > 0;
  if (proofs !== true || isFixed || last === undefined || receipts === undefined || !PROVING.includes(form))
    return move;
  const checkpoint = receipts.checkpointOver(last.seq);
  const waitedMs = nowMs - delivery.sinceMs;
  if (checkpoint === undefined && waitedMs >= 0 && waitedMs < LONGEST_WAIT_MS) return undefined;
  const fixed = { ...delivery, checkpoint: checkpoint ?? '' };
  return { ...move, delivery: fixed, standing: { ...standing, delivery: fixed }, isKnown: false };
}

/** The proofs of a delivery, by the ids of its changes. The same for the same checkpoint, except for texts that were redacted since. */
export async function proofsOf(
  { delivery, events }: Pick<DeliverMove, 'delivery' | 'events'>,
  receipts: ChangeReceipts | undefined,
): Promise<ReadonlyMap<string, string>> {
  const proofs = new Map<string, string>();
  if (receipts === undefined || (delivery.checkpoint ?? '') === '') return proofs;
  let left = MOST_PROOF_BYTES;
  for (const { id } of events) {
    const proof = (await receipts.receiptOf(id, delivery.checkpoint ?? ''))?.trimEnd();
    left -= Buffer.byteLength(proof ?? '');
    if (left < 0) break;
    if (proof !== undefined) proofs.set(id, proof);
  }
  return proofs;
}
