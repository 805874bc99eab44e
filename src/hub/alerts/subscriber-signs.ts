import { DISABLED_ON_REQUEST, type Subscription } from '../push/webhooks/subscription.ts';
import type { SubscriberSign } from './alert-rules.ts';

/** What is known of subscribers. */
export interface SubscriberLags {
  all(): readonly Subscription[];
  /** How many events of its log the subscriber has not come to. */
  lagOf(id: string): number;
}

/** The state of subscribers for alerts. One that has not confirmed yet, or was disabled on request, causes none. */
export function subscriberSigns(subscribers: SubscriberLags): readonly SubscriberSign[] {
  return subscribers.all().flatMap(({ id, url, standing }): SubscriberSign[] => {
    const { status, reason = '', failingSinceMs, delivery } = standing;
    const sign = { id, host: new URL(url).host, waiting: subscribers.lagOf(id) };
    if (status === 'disabled' || status === 'gone') {
      return reason === DISABLED_ON_REQUEST ? [] : [{ ...sign, disabled: reason || `It is ${status}.` }];
    }
    if (status === 'pending') return [];
    const behindSinceMs = failingSinceMs ?? delivery?.sinceMs;
    return [{ ...sign, ...(behindSinceMs !== undefined && { behindSinceMs }) }];
  });
}
