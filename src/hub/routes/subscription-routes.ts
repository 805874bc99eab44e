import { subscriptionUnknownError } from '../../errors/refusals.ts';
import { API_KEY_HEADER, KEY_CHALLENGE } from '../http/access.ts';
import { withProblems } from '../http/api-problems.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse, Route, RouteParameter } from '../http/route.ts';
import { slots } from '../http/slots.ts';
import { JSON_TYPE, uncachedJson } from '../http/small-answer.ts';
import { REPLAY_WISH, ROTATE_WISH, SUBSCRIPTION_EDIT, SUBSCRIPTION_WISH } from '../http/subscription-schemas.ts';
import { lineageOf } from '../keys/key-lineage.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import {
  decodeReplayWish,
  decodeRotateWish,
  decodeSubscriptionEdit,
  decodeSubscriptionWish,
  type EndpointRules,
} from '../push/webhooks/decode-subscription.ts';
import type { Subscription, SubscriptionOwner } from '../push/webhooks/subscription.ts';
import type { Subscriptions } from '../push/webhooks/subscriptions.ts';
import type { WebhookEngine } from '../push/webhooks/webhook-engine.ts';
import type { WebhookStore } from '../push/webhooks/webhook-store.ts';
import { queryFields } from './query-fields.ts';
import { viewAttempt, viewDeadLetter, viewNewSecret, viewSubscription } from './subscription-view.ts';

export interface SubscriptionRouteParts {
  readonly engine: Pick<WebhookEngine, 'all' | 'find' | 'lagOf'>;
  readonly subscriptions: Subscriptions;
  readonly store: Pick<WebhookStore, 'attempts' | 'deadLetters'>;
  readonly keys: Pick<KeyRing, 'find' | 'all'>;
  readonly endpoints: EndpointRules;
  now(): number;
}

const SUBSCRIPTIONS = '/api/v1/subscriptions';
const ID: RouteParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the subscription.',
  schema: { type: 'string' },
};
const BAD_BODY = 'The body is not as described; detail names the key.';
const NO_WRITE = 'The hub cannot write to its disk now.';
const NO_SUBSCRIPTION = 'You have no such subscription.';
const NO_KEY = "Send the hub's token, or an API key of a tier that is pushed to in X-DiffDelta-Key.";
const NO_TIER = 'This API key is of a tier that is not pushed to.';
const VIEW = { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Subscription' } };
const TESTS_AT_ONCE = 8;

/** The webhook subscriptions: all of them for the hub's admin, and their own for owners of an API key. */
export function subscriptionRoutes(parts: SubscriptionRouteParts): Route[] {
  return [...listRoutes(parts), ...oneRoutes(parts), ...deliveryRoutes(parts)];
}

function listRoutes(parts: SubscriptionRouteParts): Route[] {
  return [
    {
      ...route('GET', SUBSCRIPTIONS, 'List webhook subscriptions: all for the admin, its own for an API key.'),
      responses: { 200: 'In order of creation.', 400: 'The query has parameters.', 401: NO_KEY, 403: NO_TIER },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Subscriptions' } },
      handle: asOwner(parts, ({ query }, { owns }) => {
        queryFields({}, query);
        const all = parts.engine.all().filter(owns);
        return uncachedJson(200, { subscriptions: all.map((one) => view(one, parts)) });
      }),
    },
    {
      ...route(
        'POST',
        SUBSCRIPTIONS,
        'Subscribe to changes by webhook (Standard Webhooks). The address receives a signed subscription.verify and must answer 2xx with data.challenge as the whole body; nothing else is sent before.',
      ),
      requestBody: SUBSCRIPTION_WISH,
      responses: {
        201: 'The subscription with its secret, which is not shown again.',
        400: BAD_BODY,
        401: NO_KEY,
        403: `${NO_TIER} Or it has reached its limit of subscriptions.`,
        410: 'The log does not have the cursor in from.',
        503: NO_WRITE,
      },
      answer: VIEW,
      handle: asOwner(parts, async ({ body }, { owner, hashes }) => {
        const wish = decodeSubscriptionWish(body, parts.endpoints);
        const added = await parts.subscriptions.add(wish, owner, hashes);
        return uncachedJson(201, viewNewSecret(added, parts.engine.lagOf(added.id), parts.now()), {
          location: `${SUBSCRIPTIONS}/${added.id}`,
        });
      }),
    },
  ];
}

function oneRoutes(parts: SubscriptionRouteParts): Route[] {
  const { subscriptions } = parts;
  const missing = { 401: NO_KEY, 403: NO_TIER, 404: NO_SUBSCRIPTION } as const;
  return [
    {
      ...route('GET', `${SUBSCRIPTIONS}/:id`, 'Get a subscription and its state.'),
      parameters: [ID],
      responses: { 200: 'The subscription.', ...missing },
      answer: VIEW,
      handle: asOwnerOf(parts, (_, one) => uncachedJson(200, view(one, parts))),
    },
    {
      ...route(
        'PATCH',
        `${SUBSCRIPTIONS}/:id`,
        'Change a subscription. A new url must be verified again. Status active resumes a disabled subscription from its cursor.',
      ),
      parameters: [ID],
      requestBody: SUBSCRIPTION_EDIT,
      responses: { 200: 'The changed subscription.', 400: BAD_BODY, ...missing, 503: NO_WRITE },
      answer: VIEW,
      handle: asOwnerOf(parts, async ({ body }, one) => {
        const edit = decodeSubscriptionEdit(body ?? {}, parts.endpoints);
        return uncachedJson(200, view(await subscriptions.change(one, edit), parts));
      }),
    },
    {
      ...route('DELETE', `${SUBSCRIPTIONS}/:id`, 'Delete a subscription.'),
      parameters: [ID],
      responses: { 204: 'The subscription is deleted.', ...missing, 503: NO_WRITE },
      handle: asOwnerOf(parts, async (_, one) => {
        await subscriptions.remove(one);
        return { status: 204, headers: { 'cache-control': 'no-store' } };
      }),
    },
    {
      ...route(
        'POST',
        `${SUBSCRIPTIONS}/:id/rotate`,
        'Rotate the secret. By default the old one also signs for 24 hours.',
      ),
      parameters: [ID],
      requestBody: ROTATE_WISH,
      responses: { 200: 'The new secret. It is not shown again.', 400: BAD_BODY, ...missing, 503: NO_WRITE },
      answer: VIEW,
      handle: asOwnerOf(parts, async ({ body }, one) => {
        const rotated = await subscriptions.rotate(one, decodeRotateWish(body ?? {}));
        return uncachedJson(200, viewNewSecret(rotated, parts.engine.lagOf(one.id), parts.now()));
      }),
    },
  ];
}

function deliveryRoutes(parts: SubscriptionRouteParts): Route[] {
  const { subscriptions, store } = parts;
  const missing = { 401: NO_KEY, 403: NO_TIER, 404: NO_SUBSCRIPTION } as const;
  const inSlot = slots(TESTS_AT_ONCE, 'test events are sent');
  return [
    {
      ...route('GET', `${SUBSCRIPTIONS}/:id/deliveries`, 'List the last 200 delivery attempts and the dead letters.'),
      parameters: [ID],
      responses: { 200: 'Attempts, newest first; dead letters, oldest first.', ...missing },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Deliveries' } },
      handle: asOwnerOf(parts, (_, { id }) =>
        uncachedJson(200, {
          deliveries: store.attempts(id).map(viewAttempt),
          dead_letters: store.deadLetters(id).map(viewDeadLetter),
        }),
      ),
    },
    {
      ...route('POST', `${SUBSCRIPTIONS}/:id/test`, 'Send a subscription.test now and return the result.'),
      parameters: [ID],
      responses: {
        200: 'The result.',
        ...missing,
        409: 'The endpoint has not answered its challenge.',
        503: 'Too many tests are running.',
      },
      answer: { mediaType: JSON_TYPE, schema: { $ref: '#/components/schemas/Delivery' } },
      handle: asOwnerOf(parts, ({ signal }, one) =>
        inSlot(async () => {
          const attempt = await subscriptions.test(one, signal);
          if (attempt === undefined) return problem({ status: 503, detail: 'The hub stops now. Try again.' });
          return uncachedJson(200, viewAttempt(attempt));
        }),
      ),
    },
    {
      ...route(
        'POST',
        `${SUBSCRIPTIONS}/:id/replay`,
        'Resend the changes after a cursor or since a time, or one delivery, with the original ids.',
      ),
      parameters: [ID],
      requestBody: REPLAY_WISH,
      responses: {
        202: 'Queued. It is sent before new changes.',
        400: BAD_BODY,
        ...missing,
        409: 'Too many deliveries are waiting to be resent.',
        410: 'The log does not have the cursor.',
        503: NO_WRITE,
      },
      answer: VIEW,
      handle: asOwnerOf(parts, async ({ body }, one) =>
        uncachedJson(202, view(await subscriptions.replay(one, decodeReplayWish(body ?? {})), parts)),
      ),
    },
  ];
}

/** On whose behalf a request comes. */
interface Requester {
  readonly owner: SubscriptionOwner;
  /** The hashes of an API key and of its predecessors. */
  readonly hashes: readonly string[];
  owns(subscription: Subscription): boolean;
}

type Answer = HubResponse | Promise<HubResponse>;

function asOwner(parts: SubscriptionRouteParts, answer: (request: HubRequest, requester: Requester) => Answer) {
  return withProblems((request) => {
    const requester = requesterOf(request, parts);
    return 'status' in requester ? requester : answer(request, requester);
  });
}

/** Does not reveal whether a subscription of somebody else exists. */
function asOwnerOf(parts: SubscriptionRouteParts, answer: (request: HubRequest, one: Subscription) => Answer) {
  return asOwner(parts, (request, { owns }) => {
    const { id = '' } = request.params;
    const one = parts.engine.find(id);
    if (one === undefined || !owns(one)) throw subscriptionUnknownError(id.slice(0, 100));
    return answer(request, one);
  });
}

function requesterOf({ isAdmin, headers }: HubRequest, { keys }: SubscriptionRouteParts): Requester | HubResponse {
  if (isAdmin) return { owner: { kind: 'admin' }, hashes: [], owns: () => true };
  const key = keys.find(headers[API_KEY_HEADER]);
  if (key === undefined) return problem({ status: 401, detail: NO_KEY }, { 'www-authenticate': KEY_CHALLENGE });
  if (key.tier === 'free') return problem({ status: 403, detail: NO_TIER });
  const hashes = lineageOf(key, keys.all());
  const owns = ({ owner }: Subscription) => owner.kind === 'key' && hashes.includes(owner.hash);
  return { owner: { kind: 'key', hash: key.hash }, hashes, owns };
}

function view(one: Subscription, { engine, now }: SubscriptionRouteParts) {
  return viewSubscription(one, engine.lagOf(one.id), now());
}

function route<Method extends Route['method']>(method: Method, path: string, summary: string) {
  return { method, path, access: 'admin-or-key', summary } as const;
}
