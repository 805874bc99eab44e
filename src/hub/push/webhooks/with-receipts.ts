import type { WebhookChangeEvent, WebhookMessage } from '../../../codecs/webhooks/message.ts';
import { receiptUrl } from '../../receipt-url.ts';

/**
 * The message with the address of a receipt in each change. Not the receipt itself: a delivery has the same bytes however often it is tried, and the
 * checkpoint that a receipt leads to may not be signed yet when it is first sent.
 */
export function withReceipts(message: WebhookMessage, hubUrl: string): WebhookMessage {
  const named = ({ change, json }: WebhookChangeEvent): WebhookChangeEvent => ({
    change: { ...change },
    json: `${json.slice(0, json.lastIndexOf('}'))},"receipt":${JSON.stringify(receiptUrl(hubUrl, change.id))}}`,
  });
  if (message.type === 'change') return { ...message, event: named(message.event) };
  if (message.type !== 'changes') return message;
  const [first, ...others] = message.events;
  return { ...message, events: [named(first), ...others.map(named)] };
}
