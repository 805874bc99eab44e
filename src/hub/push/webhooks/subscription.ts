import type { WebhookForm } from '../../../codecs/webhooks/body.ts';
import type { ChangeFilter } from '../change-filter.ts';

/** What is sent: the changes of the log, or alerts about the hub itself. */
export type WebhookTopic = 'changes' | 'alerts';

/**
 * `pending`: its endpoint has not consented yet. `active`: it receives everything. `failing`: the last delivery failed and is retried. `disabled`: nothing is
 * sent until somebody enables it. `gone`: its endpoint answered 410, and nothing is sent.
 */
export type SubscriptionStatus = 'pending' | 'active' | 'failing' | 'disabled' | 'gone';

/** The reason of a subscription that was disabled on request. */
export const DISABLED_ON_REQUEST = 'It was disabled on request.';

/** Who made it: the hub's admin, the settings, or the owner of an API key. */
export type SubscriptionOwner =
  | { readonly kind: 'admin' }
  | { readonly kind: 'config'; readonly name: string }
  | { readonly kind: 'key'; readonly hash: string };

/** The secret for signatures. It is needed in full, so it is stored; it is never listed or logged. */
export interface StoredSecret {
  /** With its prefix: `whsec_…`, `whsk_…`. */
  readonly secret: string;
  /** It signs until then; absent for the current one. */
  readonly untilMs?: number;
}

/** How many events go into one delivery, and how long the first of them waits for others. With 1, each is sent alone and at once. */
export interface WebhookBatch {
  readonly max: number;
  readonly waitMs: number;
}

/** The place that a subscriber has reached. */
export interface SubscriptionCursor {
  /** The last event that it took or does not want; 0 at the start of the log. */
  readonly seq: number;
  /** The id of the same event; absent at the start. */
  readonly id?: string;
  /** The epoch of the log to which this place belongs. */
  readonly epoch: string;
}

/** Why it is sent: from the log after the cursor, by a replay, as a repeated delivery, or because the log has lost the cursor. */
export type DeliveryOrigin = 'log' | 'replay' | 'again' | 'resync';

/** The next delivery. It is fixed before it is sent, so that all attempts are the same. */
export interface FixedDelivery {
  /** `webhook-id`. */
  readonly id: string;
  readonly origin: DeliveryOrigin;
  /** The events that it holds, in order; none for a resync. */
  readonly seqs: readonly number[];
  /** For a resync: the event after which it continues. */
  readonly from?: SubscriptionCursor;
  /** The signed checkpoint for its proofs, in each attempt; empty if there was none in time. Absent without proofs. */
  readonly checkpoint?: string;
  /** The number of failed attempts. */
  readonly attempts: number;
  /** When it was fixed. Times are epoch milliseconds. */
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** Events to send again: those after one place, up to another. They go before new ones. */
export interface WantedReplay {
  readonly afterSeq: number;
  readonly toSeq: number;
}

/** What the endpoint of a pending subscription has to return. */
export interface PendingChallenge {
  readonly text: string;
  readonly atMs: number;
  /** The number of failed requests for consent. */
  readonly attempts: number;
  readonly dueMs: number;
}

/** The state of a subscription. It is written often, the rest rarely. */
export interface SubscriptionStanding {
  readonly status: SubscriptionStatus;
  /** Why it is failing, disabled or gone, for people. */
  readonly reason?: string;
  /** Of a pending one. */
  readonly challenge?: PendingChallenge;
  readonly cursor: SubscriptionCursor;
  readonly replay?: WantedReplay;
  /** Deliveries to repeat, one by one. */
  readonly again?: readonly Pick<FixedDelivery, 'id' | 'seqs'>[];
  readonly delivery?: FixedDelivery;
  /** Since when no delivery has succeeded. */
  readonly failingSinceMs?: number;
  /** Dead letters since the last successful delivery. */
  readonly deadInRow: number;
  readonly takenMs?: number;
}

/** A webhook subscription. */
export interface Subscription {
  /** `sub_` and 22 letters and digits. */
  readonly id: string;
  readonly url: string;
  readonly topic: WebhookTopic;
  readonly filter: ChangeFilter;
  readonly form: WebhookForm;
  readonly batch: WebhookBatch;
  readonly owner: SubscriptionOwner;
  /** Its name for people. */
  readonly label?: string;
  /** Each change names the address of its receipt. */
  readonly receipts?: boolean;
  /** Each change also carries its receipt. */
  readonly proofs?: boolean;
  /** Whether its endpoint has to consent first. */
  readonly verify: boolean;
  readonly createdMs: number;
  /** The newest first. */
  readonly secrets: readonly StoredSecret[];
  readonly standing: SubscriptionStanding;
}

/** `gone`: the endpoint answered 410. */
export type AttemptOutcome = 'delivered' | 'failed' | 'gone';

/** One attempt to deliver. */
export interface DeliveryAttempt {
  readonly subscription: string;
  /** `webhook-id`. */
  readonly delivery: string;
  /** `change`, `changes`, `subscription.verify`, … */
  readonly type: string;
  /** 1 and up. */
  readonly attempt: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly outcome: AttemptOutcome;
  readonly status?: number;
  /** The beginning of the answer. */
  readonly answer?: string;
  /** The name and the message of the error. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The events that it holds, and the ids of the first and the last of them. */
  readonly seqs: readonly number[];
  readonly from?: string;
  readonly to?: string;
}

/** A delivery that failed in all its attempts. */
export interface DeadLetter {
  readonly subscription: string;
  /** `webhook-id`. */
  readonly delivery: string;
  readonly seqs: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  readonly attempts: number;
  /** The error of the last attempt. */
  readonly reason: string;
}
