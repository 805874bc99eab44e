import type { WebhookForm } from '../../../codecs/webhooks/body.ts';
import type { ChangeReceipts } from '../../../dialects/shelf.ts';
import type { DeliverMove } from './next-move.ts';
import type { Subscription } from './subscription.ts';

/** So long a delivery waits for a checkpoint that covers its changes. One is signed each second while there are changes. */
const LONGEST_WAIT_MS = 10_000;
/** All proofs of a delivery together. Those behind have the address alone. */
const MOST_PROOF_BYTES = 64_000;
/** The forms that tell a change as data. */
const PROVING: readonly WebhookForm[] = ['tidings', 'cloudevents'];

/**
 * The move with the checkpoint that the proofs of its delivery lead to, which is chosen once: attempts of a delivery are the same bytes. Undefined while
 * none covers its changes, and it is worth waiting for one.
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

/** The proofs of a delivery, by the ids of its changes. The same for the same checkpoint, but for texts that were redacted since. */
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
