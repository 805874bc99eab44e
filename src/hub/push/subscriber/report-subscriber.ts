import type { HubLogger } from '../../watch/logger.ts';
import type { SubscriberEvent, SubscriberMetrics } from './subscriber-ports.ts';

/** Writes what happens to subscriptions to the log, and counts it in the metrics. */
export function reportSubscriber(event: SubscriberEvent, logger: HubLogger, metrics: SubscriberMetrics): void {
  switch (event.is) {
    case 'subscribed':
    case 'renewed':
    case 'unsubscribed':
      logger.info({ source: event.source, hub: event.hub }, `WebSub: ${event.is}`);
      break;
    case 'failed':
    case 'denied':
      logger.warn({ source: event.source, hub: event.hub }, `WebSub: no subscription: ${event.reason}`);
      break;
    case 'silent':
      logger.warn({ source: event.source, hub: event.hub }, 'WebSub: the hub does not deliver; it is not trusted');
      break;
    case 'trusted':
      logger.info({ source: event.source, hub: event.hub }, 'WebSub: the hub delivers; the source is asked less often');
      break;
    case 'missed':
      metrics.pushMissed();
      logger.debug({ source: event.source, hub: event.hub }, 'WebSub: news of which the hub has not told');
      break;
    case 'pushed':
      metrics.pushReceived('taken');
      logger.debug({ source: event.source, hub: event.hub }, 'WebSub: the hub tells of news');
      break;
    case 'forged':
      metrics.pushReceived('forged');
      logger.warn({ source: event.source, hub: event.hub }, `WebSub: a delivery was ignored. ${event.reason}`);
      break;
    case 'bug':
      logger.error({ error: event.error }, 'A fault of Tidings itself; please report it');
  }
}
