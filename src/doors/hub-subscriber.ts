import type { HubConfig } from '../hub/config/hub-config.ts';
import { CALLBACK_PATH, callbackRoutes } from '../hub/push/subscriber/callback-routes.ts';
import { reportSubscriber } from '../hub/push/subscriber/report-subscriber.ts';
import { Subscriber } from '../hub/push/subscriber/subscriber.ts';
import { viewWebSub, webSubNotes } from '../hub/push/subscriber/websub-view.ts';
import { isBelow } from '../hub/visit/own-addresses.ts';
import { sourceAsker } from '../hub/visit/source-asker.ts';
import { randomFraction } from '../io/node/random-fraction.ts';
import { randomToken } from '../io/node/random-token.ts';
import { alarm } from '../io/node/timer-alarm.ts';
import { SqliteTopics } from '../io/sqlite/topics.ts';
import { openGuarded } from './open-http.ts';
import type { HubPushParts, PushPart } from './push-part.ts';

/** While the WebSub hub of a source is trusted, the source is polled this many times less often. */
const REST_FACTOR = 6;

/** Subscribes to the WebSub hubs that watched feeds name. */
export async function hubSubscriber(parts: HubPushParts): Promise<PushPart> {
  const { config, store, ways, watch, baseUrl, logger, metrics } = parts;
  const way = await openGuarded(config);
  const ownAddresses = () => [config.baseUrl, baseUrl()].filter((address) => address !== undefined);
  const subscriber = new Subscriber({
    store: store.openTables((opened) => new SqliteTopics(opened)),
    watch,
    httpFor: (source) => ways.of(sourceAsker(source)).http,
    poster: way,
    now: Date.now,
    alarm,
    random: randomFraction,
    newToken: randomToken,
    callbackOf: (id) => new URL(`${CALLBACK_PATH}/${id}`, baseUrl()).href,
    isOwn: (url) => ownAddresses().some((own) => isBelow(url, own)),
    allowPrivate: config.allowPrivate,
    isOn: maySubscribe(config),
    restFactor: config.websubSubscriber?.restFactor ?? REST_FACTOR,
    onEvent: (event) => reportSubscriber(event, logger, metrics),
  });
  metrics.subscriptions(() => subscriber.counts());
  const factsOf = (id: string) => [subscriber.following(id), subscriber.subscriptionsOf(id), Date.now()] as const;
  return {
    routes: callbackRoutes({
      subscriber,
      limiter: parts.makeLimiter('callbacks', { now: Date.now }),
      onRefused: (word) => metrics.pushReceived(word),
    }),
    begin: () => subscriber.begin(),
    rest: () => subscriber.rest(),
    heard: (event) => subscriber.heard(event),
    looked: (look) => subscriber.looked(look),
    notesOf: (id) => webSubNotes(...factsOf(id)),
    webSubOf: (id) => viewWebSub(...factsOf(id)),
    async close() {
      await subscriber.close();
      await way[Symbol.asyncDispose]();
    },
  };
}

/** WebSub hubs must reach this hub. Default: only if its base URL is https. */
function maySubscribe({ baseUrl, websubSubscriber = {} }: HubConfig): boolean {
  return websubSubscriber.enabled ?? baseUrl?.startsWith('https:') ?? false;
}
