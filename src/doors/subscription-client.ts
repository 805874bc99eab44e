import type { HubClient, HubRequestBody } from '../io/undici/hub-client.ts';
import { hubAnswer } from './hub-answer.ts';

/** A webhook subscription as a hub shows it. More members may be added. */
export interface SubscriptionView {
  readonly id: string;
  readonly url: string;
  readonly topic: string;
  readonly format: string;
  readonly status: string;
  readonly label?: string;
  readonly reason?: string;
  readonly cursor: string | null;
  /** The number of changes it is behind. */
  readonly lag: number;
  readonly next_attempt_at?: string;
  readonly last_success_at?: string;
  readonly created_at: string;
}

/** Includes what is shown only once: the secret, or the public key of a pair. */
export interface NewSecretView extends SubscriptionView {
  readonly secret?: string;
  readonly public_key?: string;
}

/** One delivery attempt. */
export interface DeliveryView {
  readonly id: string;
  readonly type: string;
  readonly attempt: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly status?: number;
  /** The beginning of the answer. */
  readonly answer?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly events: number;
}

export interface DeadLetterView {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly events: number;
  readonly attempts: number;
  readonly at: string;
  readonly reason: string;
}

export interface DeliveriesView {
  readonly deliveries: readonly DeliveryView[];
  readonly dead_letters: readonly DeadLetterView[];
}

/** What is sent again: everything after a cursor, up to another one, or one delivery. */
export interface ReplayView {
  readonly from?: string;
  readonly since?: string;
  readonly to?: string;
  readonly delivery?: string;
}

const SUBSCRIPTIONS = 'api/v1/subscriptions';
/** A test is answered when its endpoint has answered, or after 20 s. */
const TEST_DEADLINE_MS = 60_000;

/** The webhook subscriptions of a running hub. */
export type HubSubscriptions = ReturnType<typeof createHubSubscriptions>;

export function createHubSubscriptions(client: Pick<HubClient, 'ask'> & AsyncDisposable, hub: string) {
  const ask = async <T>(key: keyof T & string, request: HubRequestBody) =>
    hubAnswer<T>(await client.ask(request), key, hub);
  const pathOf = (id: string, rest = '') => `${SUBSCRIPTIONS}/${encodeURIComponent(id)}${rest}`;
  return {
    add: (wish: object) => ask<NewSecretView>('id', { method: 'POST', path: SUBSCRIPTIONS, body: wish }),

    async list() {
      const answer = await ask<{ subscriptions: readonly SubscriptionView[] }>('subscriptions', {
        method: 'GET',
        path: SUBSCRIPTIONS,
      });
      return answer.subscriptions;
    },

    show: (id: string) => ask<SubscriptionView>('id', { method: 'GET', path: pathOf(id) }),

    deliveries: (id: string) => ask<DeliveriesView>('deliveries', { method: 'GET', path: pathOf(id, '/deliveries') }),

    edit: (id: string, edit: object) => ask<SubscriptionView>('id', { method: 'PATCH', path: pathOf(id), body: edit }),

    async remove(id: string) {
      await client.ask({ method: 'DELETE', path: pathOf(id) });
    },

    test: (id: string) =>
      ask<DeliveryView>('outcome', {
        method: 'POST',
        path: pathOf(id, '/test'),
        body: {},
        deadlineMs: TEST_DEADLINE_MS,
      }),

    replay: (id: string, wish: ReplayView) =>
      ask<SubscriptionView>('id', { method: 'POST', path: pathOf(id, '/replay'), body: wish }),

    rotate: (id: string, wish: object) =>
      ask<NewSecretView>('id', { method: 'POST', path: pathOf(id, '/rotate'), body: wish }),

    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
