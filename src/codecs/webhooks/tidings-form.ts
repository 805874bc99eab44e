/**
 * Our own form, with the payload structure that Standard Webhooks recommends.
 *
 *     {"type":"change","timestamp":"2026-11-17T12:00:00Z","data":{"seq":7,"id":"01J…","source":"docs","action":"update","url":"https://…"}}
 *     {"type":"changes","timestamp":"2026-11-17T12:00:00Z","data":[{"seq":7,…},{"seq":8,…}]}
 */
import { type EncodeWebhookForm, messageTime, type WebhookMessage } from './message.ts';
import { slimChangeJson } from './slim-change.ts';

export const encodeTidingsForm: EncodeWebhookForm = (message) => {
  const head = JSON.stringify({ type: message.type, timestamp: messageTime(message) }).slice(0, -1);
  return { body: `${head},"data":${dataJson(message)}}`, contentType: 'application/json' };
};

/** The `data` of a message as JSON. The JSON of a change is not parsed again. */
export function dataJson(message: WebhookMessage): string {
  if (message.type === 'change') return slimChangeJson(message.event);
  if (message.type === 'changes') return `[${message.events.map(slimChangeJson).join(',')}]`;
  return JSON.stringify(message.data);
}
