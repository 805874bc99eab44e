import type { AppliedFact, FeedMemory, FirstIds, ReaderCommit, ReaderState, SeenEntry } from './reader-state.ts';

/** Starts empty, and is lost when its process ends. */
export class MemoryReaderState implements ReaderState {
  readonly #feeds = new Map<string, FeedRecords>();

  async find(feedUrl: string): Promise<FeedMemory | undefined> {
    return this.#feeds.get(feedUrl)?.memory;
  }

  async seenAmong(feedUrl: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeenEntry>> {
    return among(this.#feeds.get(feedUrl)?.seen, ids);
  }

  async payloadsAmong(feedUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<string, FirstIds>> {
    return among(this.#feeds.get(feedUrl)?.payloads, hashes);
  }

  async factsOf(feedUrl: string, afterSeq: number, limit: number): Promise<readonly AppliedFact[]> {
    return this.#feeds.get(feedUrl)?.facts.slice(afterSeq, afterSeq + limit) ?? [];
  }

  async commit({ memory, seen, facts, retrust = false }: ReaderCommit): Promise<void> {
    const before = this.#feeds.get(memory.feedUrl);
    const isTrusted = memory.isTrusted && (retrust || before?.memory.isTrusted !== false);
    const kept = { ...copyOf(memory, before?.memory.endpoints), isTrusted };
    const records: FeedRecords = before ?? { memory: kept, seen: new Map(), payloads: new Map(), facts: [] };
    this.#feeds.set(memory.feedUrl, records);
    records.memory = kept;
    const news = facts.filter(({ entryId }) => !records.seen.has(entryId));
    for (const fact of news) records.facts.push({ seq: records.facts.length + 1, ...structuredClone(fact) });
    for (const { entryId, payloadHash, signature, publicKey, isVoid } of seen) {
      if (records.seen.has(entryId)) continue;
      records.seen.set(entryId, { entryId, payloadHash, signature, publicKey, ...(isVoid && { isVoid }) });
      if (isVoid) continue;
      const firstIds = records.payloads.get(payloadHash) ?? new Map<string, string>();
      if (!firstIds.has(signature)) firstIds.set(signature, entryId);
      records.payloads.set(payloadHash, firstIds);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

interface FeedRecords {
  memory: FeedMemory;
  readonly seen: Map<string, SeenEntry>;
  readonly payloads: Map<string, Map<string, string>>;
  readonly facts: AppliedFact[];
}

/** A copy, so that later changes by the caller have no effect here. Endpoints that came from here need no copy. */
function copyOf({ endpoints, ...rest }: FeedMemory, held: FeedMemory['endpoints'] | undefined): FeedMemory {
  return { ...structuredClone(rest), endpoints: endpoints === held ? endpoints : structuredClone(endpoints) };
}

function among<T>(known: ReadonlyMap<string, T> | undefined, keys: readonly string[]): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const key of keys) {
    const value = known?.get(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}
