import { oneOf, text } from '../../config/setting-decoders.ts';
import type { Subscription, SubscriptionStatus } from '../../push/webhooks/subscription.ts';
import type { WebSubRecord } from '../../push/websub/websub-store.ts';
import { queryFields, wholeNumberText } from '../../routes/query-fields.ts';
import { WEBSUB_SUBSCRIPTION } from '../../routes/websub-admin-routes.ts';
import type { AskedView, View } from '../view.ts';
import { presentFields } from '../view.ts';
import { listSchema, objectSchema, WHOLE_SCHEMA } from '../view-schemas.ts';
import {
  SUBSCRIPTION_STATES,
  SUBSCRIPTIONS_PAGE,
  type SubscriptionListFacts,
  shownSubscription,
  shownWebSub,
  type WebhookSight,
  type WebSubSight,
} from './subscription-facts.ts';
import { subscriptionListHtml } from './subscription-list-html.ts';

export interface SubscriptionListParts {
  readonly webhooks: WebhookSight;
  readonly webSub?: WebSubSight | undefined;
  now(): number;
}

const MAX_FROM = 1_000_000;
const SCHEMA = objectSchema({
  total: WHOLE_SCHEMA,
  states: { type: 'object', additionalProperties: WHOLE_SCHEMA },
  fitting: { ...WHOLE_SCHEMA, description: 'Number of webhooks that match.' },
  from: WHOLE_SCHEMA,
  'state?': { enum: SUBSCRIPTION_STATES },
  subscriptions: listSchema({ $ref: '#/components/schemas/Subscription' }),
  'websub?': objectSchema({
    hub: { type: 'string' },
    'warning?': { type: 'string' },
    count: WHOLE_SCHEMA,
    subscriptions: listSchema(WEBSUB_SUBSCRIPTION),
    'next?': { type: 'string' },
  }),
});

/** The subscribers: webhooks, those that need attention first, and WebSub. */
export function subscriptionListView(parts: SubscriptionListParts): View<SubscriptionListFacts> {
  return {
    path: '/subscriptions',
    summary: 'Subscriptions by webhook and by WebSub.',
    role: 'read',
    parameters: [
      {
        name: 'state',
        in: 'query',
        description: 'Only webhooks in this state.',
        schema: { enum: SUBSCRIPTION_STATES },
      },
      { name: 'from', in: 'query', description: 'Number of webhooks to skip.', schema: WHOLE_SCHEMA },
      { name: 'websub_after', in: 'query', description: 'WebSub: continue after this id.', schema: { type: 'string' } },
    ],
    schema: SCHEMA,
    read: (asked) => readList(parts, asked),
    show: (facts, asked) => ({
      title: 'Subscriptions',
      place: 'subscriptions',
      main: subscriptionListHtml(facts, asked),
    }),
  };
}

function readList({ webhooks, webSub, now }: SubscriptionListParts, { query, viewer }: AskedView) {
  const shape = { state: oneOf(SUBSCRIPTION_STATES), from: wholeNumberText(0, MAX_FROM), websub_after: text(100) };
  const { state, from = 0, websub_after = '' } = queryFields(shape, presentFields(query, Object.keys(shape)));
  const all = webhooks.engine.all();
  const fitting = all.filter(({ standing }) => state === undefined || standing.status === state);
  const ranked = fitting.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(from, from + SUBSCRIPTIONS_PAGE);
  const states = Object.fromEntries(SUBSCRIPTION_STATES.map((word) => [word, 0])) as Record<SubscriptionStatus, number>;
  for (const { standing } of all) states[standing.status] += 1;
  const looked = { viewer, nowMs: now() };
  return {
    total: all.length,
    states,
    fitting: fitting.length,
    from,
    ...(state !== undefined && { state }),
    subscriptions: ranked.map((one) => shownSubscription(one, webhooks, looked)),
    ...(webSub !== undefined && { websub: readWebSub(webSub, websub_after, looked.viewer) }),
  };
}

function rankOf({ standing }: Subscription): number {
  return SUBSCRIPTION_STATES.indexOf(standing.status);
}

function readWebSub({ subscribers, hubUrl, warning }: WebSubSight, after: string, viewer: AskedView['viewer']) {
  const [shown, isMore] = firstBehind(subscribers.all(), after, SUBSCRIPTIONS_PAGE);
  const said = warning();
  const next = isMore ? shown.at(-1)?.id : undefined;
  return {
    hub: hubUrl(),
    ...(said !== undefined && { warning: said }),
    count: subscribers.size,
    subscriptions: shown.map((record) => shownWebSub(record, viewer)),
    ...(next !== undefined && { next }),
  };
}

/** The first ones in order of id after a given id, without sorting all; and whether there are more. */
function firstBehind(records: Iterable<WebSubRecord>, after: string, most: number): [readonly WebSubRecord[], boolean] {
  const found: WebSubRecord[] = [];
  let isMore = false;
  for (const record of records) {
    if (record.id <= after) continue;
    const last = found[most - 1];
    isMore ||= last !== undefined;
    if (last !== undefined && record.id > last.id) continue;
    const at = found.findIndex(({ id }) => id > record.id);
    found.splice(at === -1 ? found.length : at, 0, record);
    if (found.length > most) found.pop();
  }
  return [found, isMore];
}
