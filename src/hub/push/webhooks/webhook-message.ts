import { formatTime } from '../../../codecs/primitives/time.ts';
import { encodeWebhookBody } from '../../../codecs/webhooks/body.ts';
import type { WebhookBody, WebhookChangeEvent, WebhookMessage } from '../../../codecs/webhooks/message.ts';
import { encodeCursor, START_ID } from '../../../stream/log-cursor.ts';
import type { PushEvent } from '../push-log.ts';
import type { DeliverMove } from './next-move.ts';
import type { Subscription, SubscriptionCursor } from './subscription.ts';

/** The message of a delivery: `change`, `changes`, an alert, or that the log has lost the cursor. */
export function webhookMessage({ delivery, events }: Pick<DeliverMove, 'delivery' | 'events'>): WebhookMessage {
  const [first, ...more] = events;
  if (first === undefined) {
    const from = subscriberCursor(delivery.from);
    return { type: 'resync', timestamp: formatTime(delivery.sinceMs), data: { from } };
  }
  const event = changeEvent(first);
  if (event === undefined) return alertMessage(first);
  if (more.length === 0) return { type: 'change', event };
  const others = more.flatMap((one) => changeEvent(one) ?? []);
  return { type: 'changes', events: [event, ...others] };
}

export interface WebhookBodies {
  /** The bytes of a message: the same each time. */
  write(message: WebhookMessage, form: Subscription['form'], id: string): WebhookBody;
}

/** Encodes a change once per form, for any number of subscribers. */
export function createWebhookBodies(hubUrl: () => string): WebhookBodies {
  const written = new WeakMap<object, Map<Subscription['form'], WebhookBody>>();
  return {
    write(message, form, id) {
      const context = { id, hubUrl: hubUrl() };
      // Firecrawl's form names the delivery, which belongs to one subscriber.
      if (message.type !== 'change' || form === 'firecrawl') return encodeWebhookBody(form, message, context);
      const { change } = message.event;
      const forms = written.get(change) ?? new Map<Subscription['form'], WebhookBody>();
      written.set(change, forms);
      const body = forms.get(form) ?? encodeWebhookBody(form, message, context);
      forms.set(form, body);
      return body;
    },
  };
}

/** A place as a cursor for readers of the log. */
export function subscriberCursor({ id = START_ID, epoch = '' }: Partial<SubscriptionCursor> = {}): string {
  return encodeCursor(id, epoch === '' ? undefined : epoch);
}

function changeEvent({ change, json }: PushEvent): WebhookChangeEvent | undefined {
  return change === undefined ? undefined : { change, json };
}

function alertMessage({ type, timestamp, json }: PushEvent): WebhookMessage {
  if (type === 'change') throw new Error('A change of the log has no change.');
  return { type, timestamp, data: JSON.parse(json) };
}
