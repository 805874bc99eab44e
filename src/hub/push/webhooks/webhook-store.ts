import type { StepStore } from '../../store/step-store.ts';
import type { DeadLetter, DeliveryAttempt, Subscription, SubscriptionStanding } from './subscription.ts';

/** What is written in one step. */
export interface WebhookWrite {
  /** Added, or put in place of those of the same ids, standing included. */
  readonly put?: readonly Subscription[];
  /** How subscriptions stand now; one that is gone from the store stays so. */
  readonly standings?: readonly { readonly id: string; readonly standing: SubscriptionStanding }[];
  readonly attempts?: readonly DeliveryAttempt[];
  readonly dead?: readonly DeadLetter[];
  /** Dead letters that were taken after all. */
  readonly settled?: readonly { readonly subscription: string; readonly delivery: string }[];
  /** Subscriptions, with all that is known of them. */
  readonly remove?: readonly string[];
}

/** Of each subscription so many attempts, and so many dead letters, are kept; then the oldest go. */
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
