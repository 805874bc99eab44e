import type { WebhookForm } from '../../../codecs/webhooks/body.ts';
import type { ChangeFilter } from '../change-filter.ts';

/** What is told: the changes of the log, or how the hub itself stands. */
export type WebhookTopic = 'changes' | 'alerts';

/**
 * `pending`: its endpoint has not confirmed that it wants to be told. `active`: told of all there is. `failing`: the last delivery was not
 * taken, and is tried again. `disabled`: nothing is sent until somebody says so. `gone`: its endpoint said 410, and nothing is sent.
 */
export type SubscriptionStatus = 'pending' | 'active' | 'failing' | 'disabled' | 'gone';

/** The reason of one that was disabled because somebody wanted that. */
export const DISABLED_ON_REQUEST = 'It was disabled on request.';

/** Who made it: the hub's admin, the settings, or who has an API key. */
export type SubscriptionOwner =
  | { readonly kind: 'admin' }
  | { readonly kind: 'config'; readonly name: string }
  | { readonly kind: 'key'; readonly hash: string };

/** What a subscriber signs and checks with. It is needed in full, so it is stored; it is never listed or logged. */
export interface StoredSecret {
  /** With its prefix: `whsec_…`, `whsk_…`. */
  readonly secret: string;
  /** It signs until then; absent for the one that counts. */
  readonly untilMs?: number;
}

/** How many events go into one delivery, and how long the first of them waits for others. With 1 each goes alone, at once. */
export interface WebhookBatch {
  readonly max: number;
  readonly waitMs: number;
}

/** The place that a subscriber came to. */
export interface SubscriptionCursor {
  /** Of the last event that it took, or that it does not want; 0 at the start of the log. */
  readonly seq: number;
  /** Of the same event; absent at the start. */
  readonly id?: string;
  /** Of the log that this is a place in. */
  readonly epoch: string;
}

/** Where what is sent comes from: the log behind the cursor, a replay, a delivery that is wanted once more, or a log that has lost the cursor. */
export type DeliveryOrigin = 'log' | 'replay' | 'again' | 'resync';

/** What is sent next. It is fixed before it is sent, so that each attempt is the same. */
export interface FixedDelivery {
  /** `webhook-id`. */
  readonly id: string;
  readonly origin: DeliveryOrigin;
  /** The events that it holds, in order; none for a resync. */
  readonly seqs: readonly number[];
  /** Of a resync: behind which event it goes on. */
  readonly from?: SubscriptionCursor;
  /** The signed checkpoint that its proofs lead to, in each attempt; empty where there was none in time. Absent where it has no proofs. */
  readonly checkpoint?: string;
  /** How often it was tried in vain. */
  readonly attempts: number;
  /** When it was fixed. Moments are epoch milliseconds. */
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** Events that somebody wants to have once more: those behind one place, up to another. They go before what is new. */
export interface WantedReplay {
  readonly afterSeq: number;
  readonly toSeq: number;
}

/** What the endpoint of a pending subscription has to send back. */
export interface PendingChallenge {
  readonly text: string;
  readonly atMs: number;
  /** How often it was asked in vain. */
  readonly attempts: number;
  readonly dueMs: number;
}

/** How a subscription stands. It is written often; all else rarely. */
export interface SubscriptionStanding {
  readonly status: SubscriptionStatus;
  /** Why it is failing, disabled or gone, for people. */
  readonly reason?: string;
  /** Of a pending one. */
  readonly challenge?: PendingChallenge;
  readonly cursor: SubscriptionCursor;
  readonly replay?: WantedReplay;
  /** Deliveries that are wanted once more, one by one. */
  readonly again?: readonly Pick<FixedDelivery, 'id' | 'seqs'>[];
  readonly delivery?: FixedDelivery;
  /** Since when no delivery was taken. */
  readonly failingSinceMs?: number;
  /** Dead letters since the last delivery that was taken. */
  readonly deadInRow: number;
  readonly takenMs?: number;
}

/** Somebody who is told by HTTP. */
export interface Subscription {
  /** `sub_` and 22 letters and digits. */
  readonly id: string;
  readonly url: string;
  readonly topic: WebhookTopic;
  readonly filter: ChangeFilter;
  readonly form: WebhookForm;
  readonly batch: WebhookBatch;
  readonly owner: SubscriptionOwner;
  /** What people call it. */
  readonly label?: string;
  /** Each change names where its receipt is. */
  readonly receipts?: boolean;
  /** Each change has its receipt with it, too. */
  readonly proofs?: boolean;
  /** Whether its endpoint has to confirm that it wants to be told. */
  readonly verify: boolean;
  readonly createdMs: number;
  /** The newest first. */
  readonly secrets: readonly StoredSecret[];
  readonly standing: SubscriptionStanding;
}

/** `gone`: the endpoint answered 410. */
export type AttemptOutcome = 'delivered' | 'failed' | 'gone';

/** One try to deliver. */
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
  /** How the answer begins. */
  readonly answer?: string;
  /** The name of what went wrong, and what it says. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The events that it holds, and the ids of the first and the last of them. */
  readonly seqs: readonly number[];
  readonly from?: string;
  readonly to?: string;
}

/** A delivery that nobody took in all its attempts. */
export interface DeadLetter {
  readonly subscription: string;
  /** `webhook-id`. */
  readonly delivery: string;
  readonly seqs: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  readonly attempts: number;
  /** What the last attempt said. */
  readonly reason: string;
}
