import { text } from '../config/setting-decoders.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import type { WebSubHub } from '../push/websub/websub-hub.ts';
import type { WebSubRecord } from '../push/websub/websub-store.ts';
import { queryFields } from './query-fields.ts';

export interface WebSubAdminParts {
  readonly hub: Pick<WebSubHub, 'subscribers' | 'deny'>;
  readonly hubUrl: () => string;
  /** A warning about its address, if there is one. */
  readonly warning: () => string | undefined;
}

const PATH = '/api/v1/websub';
const ENDED = 'The operator of the hub has ended the subscription.';
const MOST = 1000;
const TIME = { type: 'string', format: 'date-time' };
const TRIED = { type: 'object', properties: { at: TIME, outcome: { type: 'string' } } };

export const WEBSUB_SUBSCRIPTION = {
  type: 'object',
  required: ['id', 'topic', 'callback', 'status'],
  properties: {
    id: { type: 'string' },
    topic: { type: 'string', description: 'The topic, as the subscriber wrote it.' },
    callback: { type: 'string' },
    status: { enum: ['active', 'pending', 'denied'] },
    pending: {
      enum: ['subscribe', 'unsubscribe', 'denied'],
      description: 'The request that is pending at the callback.',
    },
    signature: { type: 'string', description: 'The signature method. Absent if there is no secret.' },
    leaseEnd: TIME,
    lastChallenge: { ...TRIED, properties: { ...TRIED.properties, mode: { type: 'string' } } },
    lastDelivery: TIME,
    lastTry: TRIED,
    nextTry: TIME,
    failures: { type: 'integer', description: 'Consecutive failures of the current delivery.' },
  },
};

const SUBSCRIPTION_LIST = {
  type: 'object',
  required: ['hub', 'count', 'subscriptions'],
  properties: {
    hub: { type: 'string', description: 'The hub address to subscribe at.' },
    warning: { type: 'string', description: 'A warning about the hub address.' },
    count: { type: 'integer', description: 'Total number of subscriptions.' },
    next: { type: 'string', description: 'Pass it as after to continue.' },
    subscriptions: { type: 'array', items: WEBSUB_SUBSCRIPTION },
  },
};

/** The WebSub subscribers of the hub, for its admin. No secret is shown. */
export function websubAdminRoutes(parts: WebSubAdminParts): Route[] {
  return [listRoute(parts), denyRoute(parts)];
}

function listRoute({ hub, hubUrl, warning }: WebSubAdminParts): Route {
  return {
    method: 'GET',
    path: PATH,
    access: 'admin',
    summary: 'List WebSub subscriptions and the state of their deliveries.',
    parameters: [
      {
        name: 'after',
        in: 'query',
        description: 'The id of the last subscription that you have.',
        schema: { type: 'string' },
      },
    ],
    responses: { 200: `Up to ${MOST}, in order of id.`, 400: 'The query has other parameters.' },
    answer: { mediaType: JSON_TYPE, schema: SUBSCRIPTION_LIST },
    handle: withProblems(({ query }) => {
      const { after = '' } = queryFields({ after: text(100) }, query);
      const { subscribers } = hub;
      const sorted = [...subscribers.all()].sort((left, right) => (left.id < right.id ? -1 : 1));
      const some = sorted.filter(({ id }) => id > after);
      const shown = some.slice(0, MOST);
      const said = warning();
      return uncachedJson(200, {
        hub: hubUrl(),
        ...(said !== undefined && { warning: said }),
        count: subscribers.size,
        ...(shown.length < some.length && { next: shown.at(-1)?.id }),
        subscriptions: shown.map(viewWebSubscriber),
      });
    }),
  };
}

function denyRoute({ hub }: WebSubAdminParts): Route {
  return {
    method: 'DELETE',
    path: `${PATH}/:id`,
    access: 'admin',
    summary: 'End a WebSub subscription, confirmed or pending. Its callback is notified (hub.mode=denied).',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the subscription, as in the list.',
        schema: { type: 'string' },
      },
    ],
    responses: { 204: 'The subscription has ended.', 404: 'There is no such subscription.' },
    handle: withProblems(({ params: { id = '' } }) =>
      hub.deny(id, ENDED)
        ? { status: 204, headers: { 'cache-control': 'no-store' } }
        : problem({ status: 404, detail: 'No subscription has this id.' }),
    ),
  };
}

/** A subscription as the API shows it, without its secret. */
export function viewWebSubscriber({ id, active, pending, lastChallenge }: WebSubRecord) {
  const of = active ?? pending;
  const status = active !== undefined ? 'active' : pending?.mode === 'denied' ? 'denied' : 'pending';
  return {
    id,
    topic: of?.topic,
    callback: of?.callback,
    status,
    pending: pending?.mode,
    signature: active?.secret === undefined ? undefined : active.method,
    leaseEnd: timeOf(active?.expiresMs),
    lastChallenge: lastChallenge && { mode: lastChallenge.mode, ...tryOf(lastChallenge) },
    lastDelivery: timeOf(active?.deliveredMs),
    lastTry: active?.lastTry && tryOf(active.lastTry),
    nextTry: timeOf(active?.nextTryMs),
    failures: active?.tries,
  };
}

function tryOf({ atMs, outcome }: { readonly atMs: number; readonly outcome: string }) {
  return { at: timeOf(atMs), outcome };
}

function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
