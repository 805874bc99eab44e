import { assertedAt } from '../../../surface/asserted-at.ts';
import { findDisagreement } from '../../../surface/disagreement.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { createEventChannel } from './event-channel.ts';
import { feedUrlOf } from './feed-url.ts';
import { followPath } from './follow-path.ts';
import { ingestFeed } from './ingest.ts';
import {
  type Answer,
  allFacts,
  baselineOf,
  findEndpoint,
  observedShape,
  resolveId,
  resolveProtocol,
} from './queries.ts';
import type { IngestReport, Reader } from './reader.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { ReaderParts } from './reader-parts.ts';
import type { FeedMemory } from './reader-state.ts';
import { newMemory, reportOf, unasked } from './report.ts';
import { turnsOn } from './turns.ts';

export type { ReaderParts, ReaderPolicy } from './reader-parts.ts';

/**
 * A reader over parts that the caller opened, and closes after it. All readers of one state poll a feed one at a time.
 *
 * An origin may also be named by the URL of its feed. After a migration that was followed, questions are answered from the
 * feed that it led to; {@link Reader.assertedAt} and {@link Reader.retrust} are about the feed that was named.
 *
 * @example
 * const reader = createReader({ http, state: new MemoryReaderState(), now: Date.now });
 * const { trust, endpoints } = await reader.ingest('https://api.example');
 */
export function createReader(parts: ReaderParts): Reader {
  const { state, now, policy = {} } = parts;
  const channel = createEventChannel();
  const turns = turnsOn(state);
  const feedOf = (origin: string | URL) => feedUrlOf(origin, policy);

  return {
    async ingest(origin, options) {
      const events: ReaderEvent[] = [];
      const emit = (event: ReaderEvent) => {
        events.push(event);
        channel.emit(event);
      };
      const visit = (feedUrl: URL) => turns.take(feedUrl.href, () => ingestFeed(parts, feedUrl, { ...options, emit }));
      const { visited, ...path } = await followPath(feedOf(origin), { policy, visit, emit });
      return reportOf(visited, { ...path, events, nowMs: now() });
    },
    async report(origin) {
      const { visited, ...path } = await knownPath(origin);
      return reportOf(visited, { ...path, nowMs: now() });
    },
    async canonicalEndpoint(origin, protocol, { atMs } = {}) {
      const memory = await memoryAt(origin, atMs);
      return answer(memory, resolveProtocol(memory, protocol, atMs ?? now()));
    },
    async resolveUrl(origin, endpointId, { atMs } = {}) {
      const memory = await memoryAt(origin, atMs);
      return answer(memory, resolveId(memory, endpointId, atMs ?? now()));
    },
    async observeLiveResponse(origin, endpointId, observed, { baseline } = {}) {
      const memory = await countingMemory(origin);
      const record = findEndpoint(memory, endpointId);
      const shape = observedShape(observed);
      if (record === undefined || shape === undefined) return undefined;
      if (baseline !== undefined) await rememberBaseline(memory, endpointId, Object.fromEntries(baseline));
      const disagreement = findDisagreement(record, shape, baseline ?? baselineOf(memory, endpointId));
      if (disagreement === undefined) return undefined;
      const place = { origin: originOf(memory), 'endpoint-id': endpointId };
      const event = { event: 'mismatch' as const, ...place, ...disagreement };
      channel.emit(event);
      return event;
    },
    assertedAt: (origin, timeMs) => assertedBy(feedOf(origin), timeMs),
    async retrust(origin) {
      const feedUrl = feedOf(origin);
      return await turns.take(feedUrl.href, () => retrust(feedUrl));
    },
    onEvent: (listener) => channel.listen(listener),
    events: () => channel.take(),
    [Symbol.asyncDispose]: () => turns.settled(),
  };

  async function memoryOf(feedUrl: URL): Promise<FeedMemory> {
    return (await state.find(feedUrl.href)) ?? newMemory(feedUrl);
  }

  function knownPath(origin: string | URL) {
    const visit = async (feedUrl: URL) => unasked(await memoryOf(feedUrl));
    return followPath(feedOf(origin), { policy, visit, emit: () => {} });
  }

  async function countingMemory(origin: string | URL): Promise<FeedMemory> {
    const { visited } = await knownPath(origin);
    return visited.memory;
  }

  async function assertedBy(feedUrl: URL, timeMs: number): Promise<readonly EndpointRecord[]> {
    return assertedAt(new URL(feedUrl.origin), await allFacts(state, feedUrl.href), timeMs);
  }

  async function memoryAt(origin: string | URL, timeMs: number | undefined): Promise<FeedMemory> {
    if (timeMs === undefined) return await countingMemory(origin);
    const feedUrl = feedOf(origin);
    return { ...(await memoryOf(feedUrl)), endpoints: await assertedBy(feedUrl, timeMs) };
  }

  function answer(memory: FeedMemory, resolved: Answer | undefined): string | undefined {
    if (resolved?.crossedSunset) {
      const { endpointId, url = null } = resolved;
      channel.emit({ event: 'deprecated-and-sunset', origin: originOf(memory), endpointId, url });
    }
    return resolved?.url;
  }

  async function rememberBaseline({ feedUrl }: FeedMemory, endpointId: string, baseline: Record<string, string>) {
    await turns.take(feedUrl, async () => {
      const memory = await memoryOf(new URL(feedUrl));
      const baselines = { ...memory.baselines, [endpointId]: baseline };
      await state.commit({ memory: { ...memory, baselines }, seen: [], facts: [] });
    });
  }

  async function retrust(feedUrl: URL): Promise<IngestReport> {
    const known = await memoryOf(feedUrl);
    if (known.isTrusted) return reportOf(unasked(known), { nowMs: now() });
    const at = new Date(now()).toISOString();
    // Without what is remembered of the documents, the next poll reads all of the feed and looks at the identity again.
    const memory = {
      ...known,
      isTrusted: true,
      feed: undefined,
      did: known.did && { ...known.did, freshUntilMs: 0 },
      retrustedAt: [...(known.retrustedAt ?? []), at],
    };
    await state.commit({ memory, seen: [], facts: [], retrust: true });
    const event: ReaderEvent = { event: 'retrusted', origin: feedUrl.origin, at };
    channel.emit(event);
    return reportOf(unasked(memory), { events: [event], nowMs: now() });
  }
}

function originOf({ feedUrl }: FeedMemory): string {
  return new URL(feedUrl).origin;
}
