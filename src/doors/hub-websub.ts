import type { HubConfig } from '../hub/config/hub-config.ts';
import type { SourceConfig } from '../hub/config/source-config.ts';
import { WEBSUB_HUB_PATH } from '../hub/push/websub/endpoint.ts';
import { PublishPings } from '../hub/push/websub/publish-pings.ts';
import { createTopicReader } from '../hub/push/websub/topic-document.ts';
import { WebSubHub } from '../hub/push/websub/websub-hub.ts';
import { sourceOfUrl } from '../hub/routes/document-scope.ts';
import { websubAdminRoutes } from '../hub/routes/websub-admin-routes.ts';
import { type WebSubLimits, websubRoutes } from '../hub/routes/websub-routes.ts';
import type { Alarm } from '../hub/schedule/scheduler.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { randomNonce } from '../io/node/random-token.ts';
import { alarm as timerAlarm } from '../io/node/timer-alarm.ts';
import { openSqliteWebSub } from '../io/sqlite/websub-store.ts';
import { sourceScope } from './hub-routes.ts';
import { openGuarded } from './open-http.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

const MEGABYTE = 1024 * 1024;
const DEFAULT_LIMITS: WebSubLimits = {
  subscriptions: 10_000,
  subscriptionsPerHost: 1000,
  requestsPerMinute: 60,
  documentBytes: 16 * MEGABYTE,
};

/** A clock other than that of the hub. */
export interface HubTime {
  readonly now: () => number;
  readonly alarm: Alarm;
}

/** `/hub`: WebSub for the feeds of this hub. */
export async function openHubWebSub(parts: HubPushParts, time: Partial<HubTime> = {}): Promise<PushPart> {
  const { config, store, tail, shelves, watch, documents, metrics, clock, logger, baseUrl, onBug } = parts;
  const { enabled = true, successor, ...said } = config.websubHub ?? {};
  if (!enabled) return { routes: [], close: async () => {} };
  const limits = { ...DEFAULT_LIMITS, ...said };
  const { now = () => clock.now(), alarm = timerAlarm } = time;
  const http = await openGuarded(config);
  const topics = createTopicReader(documents, limits.documentBytes);
  const topicAt = (path: string) => shelves.topicAt(path);
  const hubUrl = () => new URL(WEBSUB_HUB_PATH, baseUrl()).href;
  const hub = new WebSubHub({
    store: store.openTables(openSqliteWebSub),
    tail,
    http,
    topicAt,
    read: topics.read,
    hubUrl,
    urlOf: (path) => new URL(path, baseUrl()).href,
    now,
    alarm,
    random: randomFraction,
    challenge: () => randomNonce() + randomNonce(),
    logger,
    onAnswer: (mode, isConfirmed) => metrics.websub.asked(mode, isConfirmed),
    onDelivery: (outcome) => metrics.websub.delivered(outcome),
    onBug,
  });
  metrics.websub.watch(() => hub.subscribers.active);
  const pings = new PublishPings({ watch, sourceOf: sourceFinder(parts, now), tail, alarm });
  const warning = () => addressWarning(config, baseUrl());
  return {
    sights: { webSub: { subscribers: hub.subscribers, hubUrl, warning } },
    routes: [
      ...websubRoutes({
        hub,
        isTopic: (path) => topicAt(path) !== undefined,
        sizeOf: topics.size,
        ping: (url) => pings.take(url),
        baseUrl,
        ownAddresses: parts.ownAddresses,
        successor,
        limits,
        clients: parts.makeLimiter('websub-clients', { now }),
        callbackHosts: parts.makeLimiter('websub-hosts', { now }),
      }),
      ...websubAdminRoutes({ hub, hubUrl, warning }),
    ],
    begin() {
      const said = warning();
      if (said !== undefined) logger.warn({ hub: hubUrl() }, said);
      hub.begin();
    },
    rest: () => hub.rest(),
    async close() {
      pings.close();
      await hub.close();
      await http[Symbol.asyncDispose]();
    },
  };
}

/** Subscribers elsewhere must be able to reach the hub, preferably over https. */
function addressWarning({ baseUrl: given, host }: HubConfig, baseUrl: string): string | undefined {
  const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
  if (given === undefined) {
    return isHere
      ? undefined
      : `WebSub names feeds by ${baseUrl}, which others may not reach. Set "baseUrl" to the address of the hub.`;
  }
  if (new URL(given).protocol === 'https:') return undefined;
  return 'The "baseUrl" of the hub is not https: subscribers by WebSub send their secrets to it in the clear.';
}

/** How long the index is cached: the sources change rarely, and a ping may name many URLs. */
const INDEX_MS = 1000;

/** Finds the source to which the URL of a feed or page belongs. */
function sourceFinder(
  { watch, store }: HubPushParts,
  now: () => number,
): (url: URL) => Promise<SourceConfig | undefined> {
  const scope = sourceScope(store);
  let index = new Map<string, SourceConfig[]>();
  let [madeMs, seenMs, count] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const refresh = () => {
    const nowMs = now();
    // A new source is found at once; for a ping with many unknown URLs the sources are counted only once per moment.
    const isCounted = nowMs > seenMs && watch.sources().length !== count;
    seenMs = nowMs;
    if (!isCounted && nowMs - madeMs < INDEX_MS) return;
    const sources = watch.sources();
    index = byHost(sources.map(({ config }) => config));
    [madeMs, count] = [nowMs, sources.length];
  };
  return async (url) => {
    refresh();
    const configs = index.get(url.host) ?? [];
    const named = configs.find((config) => 'url' in config && config.url === url.href);
    return named ?? (await sourceOfUrl(url, configs, scope));
  };
}

function byHost(configs: readonly SourceConfig[]): Map<string, SourceConfig[]> {
  const index = new Map<string, SourceConfig[]>();
  for (const config of configs) {
    for (const host of hostsOf(config)) {
      const others = index.get(host);
      if (others === undefined) index.set(host, [config]);
      else others.push(config);
    }
  }
  return index;
}

function hostsOf(config: SourceConfig): ReadonlySet<string> {
  const urls = config.kind === 'page' ? config.urls : [config.kind === 'folder' ? config.site : config.url];
  return new Set(urls.map((url) => new URL(url).host));
}
