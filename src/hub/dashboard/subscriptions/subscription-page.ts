import { subscriptionUnknownError } from '../../../errors/refusals.ts';
import type { View } from '../view.ts';
import { listSchema, objectSchema } from '../view-schemas.ts';
import {
  type SubscriptionFacts,
  shownAttempts,
  shownDeadLetters,
  shownSubscription,
  type WebhookSight,
} from './subscription-facts.ts';
import { subscriptionHtml } from './subscription-html.ts';

const SCHEMA = objectSchema({
  subscription: { $ref: '#/components/schemas/Subscription' },
  deliveries: listSchema({ $ref: '#/components/schemas/Delivery' }),
  dead_letters: listSchema({ $ref: '#/components/schemas/DeadLetter' }),
});

/** One webhook: its state, and the results of the last deliveries. */
export function subscriptionView(webhooks: WebhookSight, now: () => number): View<SubscriptionFacts> {
  return {
    path: '/subscriptions/:id',
    summary: 'A webhook and its latest deliveries.',
    role: 'read',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the subscription.',
        schema: { type: 'string' },
      },
    ],
    schema: SCHEMA,
    read({ params: { id = '' }, viewer }) {
      const one = webhooks.engine.find(id);
      if (one === undefined) throw subscriptionUnknownError(id.slice(0, 100));
      return {
        subscription: shownSubscription(one, webhooks, { viewer, nowMs: now() }),
        deliveries: shownAttempts(one, webhooks, viewer),
        dead_letters: shownDeadLetters(one, webhooks, viewer),
      };
    },
    show: (facts, asked) => ({
      title: facts.subscription.label ?? facts.subscription.id,
      place: 'subscriptions',
      main: subscriptionHtml(facts, asked),
    }),
  };
}
