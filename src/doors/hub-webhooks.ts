import type { ChangeReceipts } from '../dialects/shelf.ts';
import type { Route } from '../hub/http/route.ts';
import { heirStanding } from '../hub/keys/key-lineage.ts';
import { limitRoutes } from '../hub/keys/limit-routes.ts';
import { changeLog, type PushLog } from '../hub/push/push-log.ts';
import { createAttempter } from '../hub/push/webhooks/attempt.ts';
import { decodeConfigured, reconcileSubscriptions } from '../hub/push/webhooks/configured-subscriptions.ts';
import type { AttemptOutcome, Subscription, SubscriptionStatus } from '../hub/push/webhooks/subscription.ts';
import { Subscriptions } from '../hub/push/webhooks/subscriptions.ts';
import { type OwnerStanding, type StandingChange, WebhookEngine } from '../hub/push/webhooks/webhook-engine.ts';
import type { WebhookStore } from '../hub/push/webhooks/webhook-store.ts';
import { subscriptionRoutes } from '../hub/routes/subscription-routes.ts';
import { isBelow } from '../hub/visit/own-addresses.ts';
import type { WebhookFigures } from '../hub/watch/metrics.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import { readSecret } from '../io/files/secret.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import { openSqliteWebhooks } from '../io/sqlite/webhooks.ts';
import { openGuarded } from './open-http.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

/** What other parts add to the webhooks of a hub. */
export interface WebhookExtras {
  /** The alerts of the hub, for subscriptions of the topic `alerts`. */
  readonly alerts?: PushLog;
  /** Proofs of changes. Absent if the hub has none. */
  readonly receipts?: ChangeReceipts | undefined;
  onStanding?(subscription: Subscription, change: StandingChange): void;
}

/** The webhooks of a hub, with the engine that alerts look at. */
export interface HubWebhooks extends PushPart {
  readonly engine: Pick<WebhookEngine, 'all' | 'find' | 'lagOf'>;
}

/** Changing requests per minute and client: each may make the hub contact a foreign address. */
const EDITS_PER_MINUTE = { free: 30, pro: 30, enterprise: 60 };
/** How long the state of the keys is cached. */
const KEYS_EVERY_MS = 1000;

/** `/api/v1/subscriptions`, and the deliveries to the subscribers. */
export async function hubWebhooks(parts: HubPushParts, extras: WebhookExtras = {}): Promise<HubWebhooks> {
  const { config, metrics } = parts;
  const configured = await configuredOf(config, endpointRules(parts));
  const { engine, subscriptions, store, attempts, routes, close } = await openWebhookDesk(parts, {
    ...extras,
    receipts: parts.shelves.receipts(),
  });
  await reconcileSubscriptions(configured, { engine, subscriptions });
  metrics.watchWebhooks(() => figuresOf(engine, attempts));
  return {
    engine,
    sights: { webhooks: { engine, store } },
    routes: limitEdits(routes, parts),
    begin: () => engine.begin(),
    rest: () => engine.rest(),
    close,
  };
}

/** What is needed to store and edit subscriptions. */
export type WebhookDeskParts = Pick<
  HubPushParts,
  'config' | 'tail' | 'epoch' | 'store' | 'keys' | 'logger' | 'baseUrl' | 'onBug'
>;

export interface WebhookDesk {
  /** Delivers nothing before it is started. */
  readonly engine: WebhookEngine;
  readonly subscriptions: Subscriptions;
  readonly store: WebhookStore;
  readonly attempts: Readonly<Record<AttemptOutcome, number>>;
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** Opens the stored subscriptions. Those of the settings are left to the server. */
export async function openWebhookDesk(parts: WebhookDeskParts, extras: WebhookExtras = {}): Promise<WebhookDesk> {
  const { config, tail, epoch, store: hubStore, keys, logger, baseUrl, onBug } = parts;
  const now = Date.now;
  const endpoints = endpointRules(parts);
  const store = hubStore.openTables(openSqliteWebhooks);
  const changes = changeLog({ tail, store: hubStore, epoch });
  const logs = { changes, ...(extras.alerts && { alerts: extras.alerts }) };
  const { receipts } = extras;
  const http = await openGuarded(config);
  const attempts: Record<AttemptOutcome, number> = { delivered: 0, failed: 0, gone: 0 };
  const attempter = createAttempter({
    http,
    now,
    hubUrl: baseUrl,
    receipts,
    onAttempt: ({ outcome }) => {
      attempts[outcome] += 1;
    },
  });
  const engine = new WebhookEngine({
    store,
    logs,
    attempter,
    receipts,
    ownerStanding: ownerStandings(keys, now),
    now,
    alarm,
    random: randomFraction,
    ...(config.webhooks?.firstRetryMs !== undefined && { firstRetryMs: config.webhooks.firstRetryMs }),
    onStanding(subscription, change) {
      sayStanding(logger, subscription, change);
      extras.onStanding?.(subscription, change);
    },
    onProblem: (error) => logger.error({ error }, 'How webhooks stand could not be written down; it is tried again'),
    onBug,
  });
  const { perKey } = config.webhooks ?? {};
  const subscriptions = new Subscriptions({
    engine,
    store,
    attempter,
    logs,
    now,
    random: randomSecretBytes,
    ...(perKey !== undefined && { perKey }),
  });
  return {
    engine,
    subscriptions,
    store,
    attempts,
    routes: subscriptionRoutes({ engine, subscriptions, store, keys, endpoints, now }),
    async close() {
      await engine.close();
      await http[Symbol.asyncDispose]();
    },
  };
}

function limitEdits(
  routes: readonly Route[],
  { keys, makeLimiter }: Pick<HubPushParts, 'keys' | 'makeLimiter'>,
): readonly Route[] {
  const reading = routes.filter(({ method }) => method === 'GET');
  const editing = routes.filter(({ method }) => method !== 'GET');
  const limits = { limiter: makeLimiter('subscriptions', { now: Date.now }), perMinute: EDITS_PER_MINUTE, keys };
  return [...reading, ...limitRoutes(editing, limits)];
}

/** Reports errors in the settings before anything is opened. */
function configuredOf({ subscriptions = [] }: HubPushParts['config'], endpoints: ReturnType<typeof endpointRules>) {
  return decodeConfigured(subscriptions, endpoints, (file) => readSecret(file, 'secret'));
}

function endpointRules({ config, baseUrl }: Pick<HubPushParts, 'config' | 'baseUrl'>) {
  const { allowPrivate, host, port, baseUrl: shown } = config;
  const listening = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
  const ownAddresses = () => [shown, baseUrl(), listening].filter((address) => address !== undefined);
  return {
    allowPrivate,
    isPrivateName,
    isOwnAddress: (url: URL) => ownAddresses().some((own) => isBelow(url, own)),
  };
}

/** A subscription that belongs to a key has the standing of the key. */
function ownerStandings(keys: HubPushParts['keys'], now: () => number): (subscription: Subscription) => OwnerStanding {
  let all = keys.all();
  let untilMs = Number.NEGATIVE_INFINITY;
  return ({ owner }) => {
    if (owner.kind !== 'key') return 'good';
    if (now() >= untilMs) {
      all = keys.all();
      untilMs = now() + KEYS_EVERY_MS;
    }
    return heirStanding(owner.hash, all);
  };
}

/** The address of a chat webhook contains its password, so only its host is logged. */
function sayStanding(logger: HubPushParts['logger'], { id, url }: Subscription, change: StandingChange): void {
  const fields = { subscription: id, host: new URL(url).host, ...change };
  const isBad = change.to === 'failing' || change.to === 'disabled' || change.to === 'gone';
  logger[isBad ? 'warn' : 'info'](fields, `A webhook subscription is ${change.to}`);
}

function figuresOf(engine: WebhookEngine, attempts: WebhookFigures['attempts']): WebhookFigures {
  const subscriptions: Record<SubscriptionStatus, number> = { pending: 0, active: 0, failing: 0, disabled: 0, gone: 0 };
  let mostLag = 0;
  for (const { id, standing } of engine.all()) {
    subscriptions[standing.status] += 1;
    if (standing.status === 'active' || standing.status === 'failing') mostLag = Math.max(mostLag, engine.lagOf(id));
  }
  return { subscriptions, attempts, mostLag };
}
