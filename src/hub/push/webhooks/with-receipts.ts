import type { WebhookChangeEvent, WebhookMessage } from '../../../codecs/webhooks/message.ts';
import { receiptUrl } from '../../receipt-url.ts';

/** Adds the address of its receipt to each change, and the available receipts by the ids of their changes. */
export function withReceipts(
  message: WebhookMessage,
  hubUrl: string,
  proofs: ReadonlyMap<string, string> = new Map(),
): WebhookMessage {
  const named = ({ change, json }: WebhookChangeEvent): WebhookChangeEvent => {
    const proof = proofs.get(change.id);
    return {
      change: { ...change },
      json: `${json.slice(0, json.lastIndexOf('}'))},"receipt":${JSON.stringify(receiptUrl(hubUrl, change.id))}}`,
      ...(proof !== undefined && { proof }),
    };
  };
  if (message.type === 'change') return { ...message, event: named(message.event) };
  if (message.type !== 'changes') return message;
  const [first, ...others] = message.events;
  return { ...message, events: [named(first), ...others.map(named)] };
}
