import type { Subscription, SubscriptionStatus } from '../../push/webhooks/subscription.ts';
import type { WebhookEngine } from '../../push/webhooks/webhook-engine.ts';
import type { WebhookStore } from '../../push/webhooks/webhook-store.ts';
import type { WebSubRecord } from '../../push/websub/websub-store.ts';
import { viewAttempt, viewDeadLetter, viewSubscription } from '../../routes/subscription-view.ts';
import { viewWebSubscriber } from '../../routes/websub-admin-routes.ts';
import { mayAct, type Viewer } from '../../sign-in/viewer.ts';

/** The webhooks of a hub, as pages look at them. */
export interface WebhookSight {
  readonly engine: Pick<WebhookEngine, 'all' | 'find' | 'lagOf'>;
  readonly store: Pick<WebhookStore, 'attempts' | 'deadLetters'>;
}

/** Those who subscribed by WebSub. */
export interface WebSubSight {
  readonly subscribers: { readonly size: number; all(): Iterable<WebSubRecord> };
  /** Where they subscribe. */
  hubUrl(): string;
  warning(): string | undefined;
}

export type ShownSubscription = ReturnType<typeof viewSubscription>;
export type ShownAttempt = ReturnType<typeof viewAttempt>;
export type ShownDeadLetter = ReturnType<typeof viewDeadLetter>;
export type ShownWebSub = ReturnType<typeof viewWebSubscriber>;

export interface SubscriptionListFacts {
  readonly total: number;
  readonly states: Readonly<Record<SubscriptionStatus, number>>;
  readonly fitting: number;
  readonly from: number;
  readonly state?: SubscriptionStatus;
  readonly subscriptions: readonly ShownSubscription[];
  /** Absent if the hub takes no WebSub subscriptions. */
  readonly websub?: WebSubListFacts;
}

export interface WebSubListFacts {
  /** Where subscribers subscribe. */
  readonly hub: string;
  readonly warning?: string;
  readonly count: number;
  /** In order of id. */
  readonly subscriptions: readonly ShownWebSub[];
  /** Give it as websub_after to read on. */
  readonly next?: string;
}

export interface SubscriptionFacts {
  readonly subscription: ShownSubscription;
  /** The last attempts, newest first. */
  readonly deliveries: readonly ShownAttempt[];
  /** Deliveries that failed in all attempts, newest first. */
  readonly dead_letters: readonly ShownDeadLetter[];
}

/** The number of subscriptions per page. */
export const SUBSCRIPTIONS_PAGE = 50;

/** Those that need attention come first. */
export const SUBSCRIPTION_STATES: readonly SubscriptionStatus[] = ['failing', 'gone', 'disabled', 'pending', 'active'];

/** The address of a chat holds its password, and so may any other: whole addresses are for the admin. */
export function shownSubscription(one: Subscription, { engine }: WebhookSight, asked: LookedAt): ShownSubscription {
  const view = viewSubscription(one, engine.lagOf(one.id), asked.nowMs);
  const { url, reason } = view;
  if (mayAct(asked.viewer, 'admin')) return view;
  return { ...view, url: shortAddress(url), ...(reason !== undefined && { reason: withShort(reason, url) }) };
}

export interface LookedAt {
  readonly viewer: Viewer;
  readonly nowMs: number;
}

/** The answers of an endpoint are also only for the admin. */
export function shownAttempts(one: Subscription, { store }: WebhookSight, viewer: Viewer): readonly ShownAttempt[] {
  const all = store.attempts(one.id).slice(0, MOST_ATTEMPTS).map(viewAttempt);
  if (mayAct(viewer, 'admin')) return all;
  return all.map(({ answer: _, error, ...attempt }) => ({
    ...attempt,
    ...(error !== undefined && { error: { ...error, message: withShort(error.message, one.url) } }),
  }));
}

const MOST_ATTEMPTS = 50;

export function shownDeadLetters(one: Subscription, { store }: WebhookSight, viewer: Viewer): ShownDeadLetter[] {
  const all = store.deadLetters(one.id).map(viewDeadLetter).reverse().slice(0, MOST_ATTEMPTS);
  if (mayAct(viewer, 'admin')) return all;
  return all.map((letter) => ({ ...letter, reason: withShort(letter.reason, one.url) }));
}

export function shownWebSub(record: WebSubRecord, viewer: Viewer): ShownWebSub {
  const view = viewWebSubscriber(record);
  const { callback } = view;
  return mayAct(viewer, 'admin') || callback === undefined ? view : { ...view, callback: shortAddress(callback) };
}

/** Only its host. */
function shortAddress(url: string): string {
  return `${new URL(url).origin}/…`;
}

function withShort(text: string, url: string): string {
  return text.replaceAll(url, shortAddress(url));
}
