import type {
  AppliedFact,
  FeedMemory,
  FirstIds,
  ReaderCommit,
  ReaderState,
  SeenEntry,
} from '../../dialects/agent-feed/read/reader-state.ts';
import type { SqliteReaderState } from '../sqlite/reader-state.ts';
import { readerVersion } from './local-replica.ts';

/** Sends a commit to the journal. Resolves to its place when it is made here. */
type SendCommit = (value: unknown) => Promise<number>;

/** What readers of agent-feeds know, in a replica. */
export class ClusterReaderState implements ReaderState {
  readonly #local: SqliteReaderState;
  readonly #send: SendCommit;

  constructor(local: SqliteReaderState, send: SendCommit) {
    this.#local = local;
    this.#send = send;
  }

  find(feedUrl: string): Promise<FeedMemory | undefined> {
    return this.#local.find(feedUrl);
  }

  seenAmong(feedUrl: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeenEntry>> {
    return this.#local.seenAmong(feedUrl, ids);
  }

  payloadsAmong(feedUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<string, FirstIds>> {
    return this.#local.payloadsAmong(feedUrl, hashes);
  }

  factsOf(feedUrl: string, afterSeq: number, limit: number): Promise<readonly AppliedFact[]> {
    return this.#local.factsOf(feedUrl, afterSeq, limit);
  }

  /** What is large and unchanged is not sent: a poll that changed nothing costs little. */
  async commit(commit: ReaderCommit): Promise<void> {
    const { tables } = this.#local;
    const unchanged = tables.unchangedParts(commit.memory);
    const isSent = (name: string) => !unchanged.some((part) => part === name);
    const memory = Object.fromEntries(Object.entries(commit.memory).filter(([name]) => isSent(name)));
    const rev = await this.#send({ commit: { ...commit, memory }, unchanged });
    tables.knowParts(commit.memory, { unchanged, version: readerVersion(rev) });
  }

  /** The store is not this reader's to close. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
