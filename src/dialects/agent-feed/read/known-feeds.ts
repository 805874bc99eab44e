import { assertedAt } from '../../../surface/asserted-at.ts';
import { findDisagreement } from '../../../surface/disagreement.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';
import { feedUrlOf } from './feed-url.ts';
import { followPath } from './follow-path.ts';
import { allFacts, baselineOf, findEndpoint, observedShape } from './queries.ts';
import type { ObserveOptions } from './reader.ts';
import type { ReaderEvent } from './reader-event.ts';
import type { ReaderParts } from './reader-parts.ts';
import type { FeedMemory } from './reader-state.ts';
import { newMemory, unasked } from './report.ts';
import { type Turns, turnsOn } from './turns.ts';

/** What a reader knows about feeds, without any request. */
export class KnownFeeds {
  readonly #parts: ReaderParts;
  readonly #turns: Turns;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#turns = turnsOn(parts.state);
  }

  /** The URL of the feed of an origin. The origin may also be given as that URL. */
  urlOf(origin: string | URL): URL {
    return feedUrlOf(origin, this.#parts.policy ?? {});
  }

  /** The path from a feed to the one that counts now, over followed migrations. */
  pathFrom(origin: string | URL) {
    const visit = async (feedUrl: URL) => unasked(await this.#memoryOf(feedUrl));
    return followPath(this.urlOf(origin), { policy: this.#parts.policy ?? {}, visit, emit: () => {} });
  }

  /** What is known now, or what the feed asserted at `timeMs`. */
  async memoryAt(origin: string | URL, timeMs: number | undefined): Promise<FeedMemory> {
    if (timeMs === undefined) return (await this.pathFrom(origin)).visited.memory;
    const feedUrl = this.urlOf(origin);
    return { ...(await this.#memoryOf(feedUrl)), endpoints: await this.assertedBy(feedUrl, timeMs) };
  }

  async assertedBy(feedUrl: URL, timeMs: number): Promise<readonly EndpointRecord[]> {
    return assertedAt(new URL(feedUrl.origin), await allFacts(this.#parts.state, feedUrl.href), timeMs);
  }

  /** Compares a live answer with what was announced. Undefined if they agree, or if the endpoint is unknown. */
  async observe(
    origin: string | URL,
    endpointId: string,
    observed: unknown,
    { baseline }: ObserveOptions = {},
  ): Promise<Extract<ReaderEvent, { event: 'mismatch' }> | undefined> {
    const memory = await this.memoryAt(origin, undefined);
    const record = findEndpoint(memory, endpointId);
    const shape = observedShape(observed);
    if (record === undefined || shape === undefined) return undefined;
    if (baseline !== undefined) await this.#rememberBaseline(memory, endpointId, Object.fromEntries(baseline));
    const disagreement = findDisagreement(record, shape, baseline ?? baselineOf(memory, endpointId));
    if (disagreement === undefined) return undefined;
    return { event: 'mismatch', origin: feedOriginOf(memory), 'endpoint-id': endpointId, ...disagreement };
  }

  /** Trusts a feed again. There is no event if it was trusted already. */
  retrust(feedUrl: URL): Promise<{ readonly memory: FeedMemory; readonly event?: ReaderEvent }> {
    return this.#turns.take(feedUrl.href, async () => {
      const { state, now } = this.#parts;
      const known = await this.#memoryOf(feedUrl);
      if (known.isTrusted) return { memory: known };
      const at = new Date(now()).toISOString();
      // Without the remembered documents, the next poll reads the whole feed and the identity again.
      const memory = {
        ...known,
        isTrusted: true,
        feed: undefined,
        did: known.did && { ...known.did, freshUntilMs: 0 },
        retrustedAt: [...(known.retrustedAt ?? []), at],
      };
      await state.commit({ memory, seen: [], facts: [], retrust: true });
      return { memory, event: { event: 'retrusted', origin: feedUrl.origin, at } };
    });
  }

  async #memoryOf(feedUrl: URL): Promise<FeedMemory> {
    return (await this.#parts.state.find(feedUrl.href)) ?? newMemory(feedUrl);
  }

  async #rememberBaseline({ feedUrl }: FeedMemory, endpointId: string, baseline: Record<string, string>) {
    await this.#turns.take(feedUrl, async () => {
      const memory = await this.#memoryOf(new URL(feedUrl));
      const baselines = { ...memory.baselines, [endpointId]: baseline };
      await this.#parts.state.commit({ memory: { ...memory, baselines }, seen: [], facts: [] });
    });
  }
}

/** The origin that a feed speaks for. */
export function feedOriginOf({ feedUrl }: FeedMemory): string {
  return new URL(feedUrl).origin;
}
