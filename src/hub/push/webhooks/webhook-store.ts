import type { StepStore } from '../../store/step-store.ts';
import type { DeadLetter, DeliveryAttempt, Subscription, SubscriptionStanding } from './subscription.ts';

/** What is written in one step. */
export interface WebhookWrite {
  /** Added, or replacing those with the same ids, including their state. */
  readonly put?: readonly Subscription[];
  /** The current state of subscriptions; one that was removed from the store stays removed. */
  readonly standings?: readonly { readonly id: string; readonly standing: SubscriptionStanding }[];
  readonly attempts?: readonly DeliveryAttempt[];
  readonly dead?: readonly DeadLetter[];
  /** Dead letters that were delivered after all. */
  readonly settled?: readonly { readonly subscription: string; readonly delivery: string }[];
  /** Subscriptions to remove, with everything that is known about them. */
  readonly remove?: readonly string[];
}

/** How many attempts and dead letters are kept per subscription; the oldest go first. */
export const KEPT_ATTEMPTS = 200;
export const KEPT_DEAD_LETTERS = 200;

/**
 * The subscriptions of a hub, in one database with its log, so that one is not restored without the other.
 *
 * Every implementation passes `describeWebhookStore()` in webhook-store.contract.ts.
 */
export interface WebhookStore extends StepStore<WebhookWrite> {
  /** In order of creation. */
  subscriptions(): readonly Subscription[];
  /** Newest first. */
  attempts(subscription: string): readonly DeliveryAttempt[];
  /** Oldest first. */
  deadLetters(subscription: string): readonly DeadLetter[];
}
