import { createEventChannel } from './event-channel.ts';
import { followPath } from './follow-path.ts';
import { ingestFeed } from './ingest.ts';
import { feedOriginOf, KnownFeeds } from './known-feeds.ts';
import { type Answer, resolveId, resolveProtocol } from './queries.ts';
import type { Reader } from './reader.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { ReaderParts } from './reader-parts.ts';
import type { FeedMemory } from './reader-state.ts';
import { reportOf, unasked } from './report.ts';
import { turnsOn } from './turns.ts';

export type { ReaderParts, ReaderPolicy } from './reader-parts.ts';

/**
 * Creates a reader over parts that the caller opened and closes afterwards. All readers of one state poll a feed one at a time.
 *
 * An origin may also be named by the URL of its feed. After a followed migration, questions are answered from the new feed;
 * {@link Reader.assertedAt} and {@link Reader.retrust} are about the feed that was named.
 *
 * @example
 * const reader = createReader({ http, state: new MemoryReaderState(), now: Date.now });
 * const { trust, endpoints } = await reader.ingest('https://api.example');
 */
export function createReader(parts: ReaderParts): Reader {
  const feeds = new KnownFeeds(parts);
  const channel = createEventChannel();
  const { state, now, policy = {} } = parts;
  const turns = turnsOn(state);

  const answer = (memory: FeedMemory, resolved: Answer | undefined): string | undefined => {
    if (resolved?.crossedSunset) {
      const { endpointId, url = null } = resolved;
      channel.emit({ event: 'deprecated-and-sunset', origin: feedOriginOf(memory), endpointId, url });
    }
    return resolved?.url;
  };
  return {
    async ingest(origin, options) {
      const events: ReaderEvent[] = [];
      const emit = (event: ReaderEvent) => {
        events.push(event);
        channel.emit(event);
      };
      const visit = (feedUrl: URL) => turns.take(feedUrl.href, () => ingestFeed(parts, feedUrl, { ...options, emit }));
      const { visited, ...path } = await followPath(feeds.urlOf(origin), { policy, visit, emit });
      return reportOf(visited, { ...path, events, nowMs: now() });
    },
    async report(origin) {
      const { visited, ...path } = await feeds.pathFrom(origin);
      return reportOf(visited, { ...path, nowMs: now() });
    },
    async canonicalEndpoint(origin, protocol, { atMs } = {}) {
      const memory = await feeds.memoryAt(origin, atMs);
      return answer(memory, resolveProtocol(memory, protocol, atMs ?? now()));
    },
    async resolveUrl(origin, endpointId, { atMs } = {}) {
      const memory = await feeds.memoryAt(origin, atMs);
      return answer(memory, resolveId(memory, endpointId, atMs ?? now()));
    },
    async observeLiveResponse(origin, endpointId, observed, options) {
      const event = await feeds.observe(origin, endpointId, observed, options);
      if (event !== undefined) channel.emit(event);
      return event;
    },
    assertedAt: (origin, timeMs) => feeds.assertedBy(feeds.urlOf(origin), timeMs),
    async retrust(origin) {
      const { memory, event } = await feeds.retrust(feeds.urlOf(origin));
      if (event !== undefined) channel.emit(event);
      return reportOf(unasked(memory), { ...(event !== undefined && { events: [event] }), nowMs: now() });
    },
    onEvent: (listener) => channel.listen(listener),
    events: () => channel.take(),
    [Symbol.asyncDispose]: () => turns.settled(),
  };
}
