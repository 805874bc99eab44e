import type { Fact } from '../../../codecs/agent-feed/wire.ts';
import type { Validators } from '../../../fetch/response-headers.ts';
import type { Disagreement } from '../../../surface/disagreement.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';

/**
 * Where a reader keeps what it knows of feeds. Several feeds, each for itself (AF-Z2), named by their URL.
 *
 * `commit` is atomic and durable when it resolves, so that a reader that is stopped anywhere goes on as if it had not been.
 * Nothing that was recorded is ever taken back (AF-F2), and nothing is recorded twice, whoever commits when.
 * Every implementation passes `describeReaderState()`.
 */
export interface ReaderState extends AsyncDisposable {
  find(feedUrl: string): Promise<FeedMemory | undefined>;
  /** By entry id, those of `ids` that were seen. */
  seenAmong(feedUrl: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeenEntry>>;
  /** By payload hash, those of `hashes` that had an effect. */
  payloadsAmong(feedUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<string, FirstIds>>;
  /** What was applied, in that order, behind `afterSeq` (0: from the start). At most `limit`. */
  factsOf(feedUrl: string, afterSeq: number, limit: number): Promise<readonly AppliedFact[]>;
  commit(commit: ReaderCommit): Promise<void>;
}

export interface ReaderCommit {
  /** Its larger parts are written when they are other objects than those that were found or committed last. */
  readonly memory: FeedMemory;
  /** Those that were seen before stay as they were. */
  readonly seen: readonly SeenEntry[];
  /**
   * Without their places, which they get here: from 1 on without a hole, per feed. Those of entries that were seen in an
   * earlier commit are left out.
   */
  readonly facts: readonly Omit<AppliedFact, 'seq'>[];
  /** An operator's word. Without it a feed that is not trusted stays so, whatever `memory` says. */
  readonly retrust?: boolean;
}

/** All that is known of one feed but its entries. */
export interface FeedMemory {
  readonly feedUrl: string;
  /** False for good once the feed was terminated or migrated, until an operator says otherwise. */
  readonly isTrusted: boolean;
  /** As the last feed that could be read says it. Absent before. */
  readonly feedStatus?: string;
  readonly specVersion?: string;
  readonly migratedTo?: string;
  /** Why the last feed that was read counts as terminated until another is read. Not a matter of trust (T-AF-20). */
  readonly suspended?: string;
  /** The id of the entry that was applied last. */
  readonly lastSeen?: string;
  readonly applied: number;
  readonly endpoints: readonly EndpointRecord[];
  /** By endpoint-id: what a response had before any migration. */
  readonly baselines?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly poll: PollMemory;
  readonly did?: DidMemory;
  readonly feed?: DocumentMemory;
  /** By name and entry: when an event was told last, so that it is not told at every poll. Bounded. */
  readonly told?: Readonly<Record<string, number>>;
  /** What live answers had otherwise than announced, newest last. Bounded. */
  readonly mismatches?: readonly ObservedMismatch[];
  /** When an operator trusted it again. */
  readonly retrustedAt?: readonly string[];
}

/** One answer of an endpoint that is not as its feed says. */
export interface ObservedMismatch extends Disagreement {
  readonly at: string;
  readonly endpointId: string;
}

export interface PollMemory {
  readonly lastMs?: number;
  /** Before this no poll is made without an operator. */
  readonly nextMs?: number;
  /** Before this none is made at all: the origin said so. */
  readonly pausedUntilMs?: number;
  /** Before this the snapshot is not asked for: the origin said so of it alone. */
  readonly cardPausedUntilMs?: number;
  /** What kept the last poll from being complete. Absent where it was. */
  readonly problem?: string;
}

export interface DidMemory extends DocumentMemory {
  readonly text: string;
  /** Fresh until then; may not be used behind it (AF-R3). */
  readonly freshUntilMs: number;
}

export interface DocumentMemory {
  readonly validators?: Validators;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Of a feed: SHA-256 over the keys that it was verified with. When both are as they were there is nothing to do. */
  readonly keysHash?: string;
  /** Of a feed: how many there are in it, whatever was thought of them. */
  readonly entries?: number;
}

/** An entry that was verified and could be read as its type. One that only repeats another is none. */
export interface SeenEntry {
  readonly entryId: string;
  /** SHA-256 of the signed bytes, in hex. */
  readonly payloadHash: string;
  /** As text of base64url, without white space. */
  readonly signature: string;
  /** The key that it was verified with, in hex: with the same key it need not be verified again. */
  readonly publicKey: string;
  /** It had no effect. Then its payload may have one under another id. */
  readonly isVoid?: true;
}

/** Of one payload: by signature, the id of the first entry that had it. The same may be said by several keys (T-AF-3). */
export type FirstIds = ReadonlyMap<string, string>;

/** One fact that was applied: the record for audit. */
export interface AppliedFact {
  readonly seq: number;
  readonly entryId: string;
  readonly fact: Fact;
  /** The Atom `updated` of the entry, if any. A claim that is not even signed. */
  readonly updated?: string;
  /** The id of the verification method. */
  readonly signer: string;
  readonly learnedMs: number;
  /** It was verified and had no effect, as the deprecation of an unknown endpoint. */
  readonly isVoid?: true;
}
