import type { Fact } from '../../../codecs/agent-feed/wire.ts';
import type { Validators } from '../../../fetch/response-headers.ts';
import type { Disagreement } from '../../../surface/disagreement.ts';
import type { EndpointRecord } from '../../../surface/endpoint-record.ts';

/**
 * Where a reader keeps what it knows about feeds. Feeds are independent of each other (AF-Z2) and identified by their URL.
 *
 * `commit` is atomic, and durable when it resolves, so a reader that is stopped anywhere can continue as if it had not been.
 * Nothing that was recorded is ever removed (AF-F2), and nothing is recorded twice, whoever commits when. Every implementation
 * passes `describeReaderState()`.
 */
export interface ReaderState extends AsyncDisposable {
  find(feedUrl: string): Promise<FeedMemory | undefined>;
  /** Those of `ids` that were seen, by entry id. */
  seenAmong(feedUrl: string, ids: readonly string[]): Promise<ReadonlyMap<string, SeenEntry>>;
  /** Those of `hashes` that had an effect, by payload hash. */
  payloadsAmong(feedUrl: string, hashes: readonly string[]): Promise<ReadonlyMap<string, FirstIds>>;
  /** The applied facts after `afterSeq` (0: from the start), in the order of application. At most `limit`. */
  factsOf(feedUrl: string, afterSeq: number, limit: number): Promise<readonly AppliedFact[]>;
  commit(commit: ReaderCommit): Promise<void>;
}

export interface ReaderCommit {
  /** Its larger parts are written only if they are not the same objects as those found or committed last. */
  readonly memory: FeedMemory;
  /** Entries that were seen before stay as they were. */
  readonly seen: readonly SeenEntry[];
  /**
   * Facts without `seq`. The state numbers them from 1 without a gap, per feed. Facts of entries that were seen in an earlier
   * commit are left out.
   */
  readonly facts: readonly Omit<AppliedFact, 'seq'>[];
  /** An operator's decision. Without it an untrusted feed stays untrusted, whatever `memory` says. */
  readonly retrust?: boolean;
}

/** Everything known about one feed except its entries. */
export interface FeedMemory {
  readonly feedUrl: string;
  /** False once the feed was terminated or migrated, until an operator trusts it again. */
  readonly isTrusted: boolean;
  /** The status in the last feed that could be read. Absent before that. */
  readonly feedStatus?: string;
  readonly specVersion?: string;
  readonly migratedTo?: string;
  /** Why the last feed that was read counts as terminated until another one is read. This does not affect trust (T-AF-20). */
  readonly suspended?: string;
  /** The id of the entry that was applied last. */
  readonly lastSeen?: string;
  readonly applied: number;
  readonly endpoints: readonly EndpointRecord[];
  /** By endpoint-id: the fields of a response before any migration. */
  readonly baselines?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly poll: PollMemory;
  readonly did?: DidMemory;
  readonly feed?: DocumentMemory;
  /** By event name and entry: when an event was last reported, so that not every poll repeats it. Bounded. */
  readonly told?: Readonly<Record<string, number>>;
  /** How live answers differed from what was announced, newest last. Bounded. */
  readonly mismatches?: readonly ObservedMismatch[];
  /** The times at which an operator trusted it again. */
  readonly retrustedAt?: readonly string[];
}

/** One answer of an endpoint that differs from what its feed says. */
export interface ObservedMismatch extends Disagreement {
  readonly at: string;
  readonly endpointId: string;
}

export interface PollMemory {
  readonly lastMs?: number;
  /** No poll is made before this time, unless an operator asks for one. */
  readonly nextMs?: number;
  /** No poll at all is made before this time, because the origin asked for a pause. */
  readonly pausedUntilMs?: number;
  /** The snapshot is not requested before this time, because the origin asked for a pause on it alone. */
  readonly cardPausedUntilMs?: number;
  /** Why the last poll was not complete. Absent if it was. */
  readonly problem?: string;
}

export interface DidMemory extends DocumentMemory {
  readonly text: string;
  /** The document may not be used after this time (AF-R3). */
  readonly freshUntilMs: number;
}

export interface DocumentMemory {
  readonly validators?: Validators;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** For a feed: SHA-256 over the keys that it was verified with. If both hashes are unchanged, there is nothing to do. */
  readonly keysHash?: string;
  /** For a feed: the number of its entries, valid or not. */
  readonly entries?: number;
}

/** An entry that was verified and whose payload fits its type. An entry that only repeats another is not recorded. */
export interface SeenEntry {
  readonly entryId: string;
  /** SHA-256 of the signed bytes, in hex. */
  readonly payloadHash: string;
  /** Base64url without white space. */
  readonly signature: string;
  /** The key that verified it, in hex. With the same key it need not be verified again. */
  readonly publicKey: string;
  /** It had no effect, so its payload may still have one under another id. */
  readonly isVoid?: true;
}

/** For one payload: by signature, the id of the first entry that had it. Several keys may sign the same payload (T-AF-3). */
export type FirstIds = ReadonlyMap<string, string>;

/** One applied fact, recorded for audit. */
export interface AppliedFact {
  readonly seq: number;
  readonly entryId: string;
  readonly fact: Fact;
  /** The Atom `updated` of the entry, if any. This claim is not signed. */
  readonly updated?: string;
  /** The id of the verification method. */
  readonly signer: string;
  readonly learnedMs: number;
  /** It was verified but had no effect, like the deprecation of an unknown endpoint. */
  readonly isVoid?: true;
}
