import type { TreeHead } from '../codecs/tlog/verify-proof.ts';

/** The largest consistent tree of a log that a witness has cosigned. */
export interface WitnessedHead extends TreeHead {
  /** The checkpoint as the log signed it, with verified signatures only. */
  readonly note: string;
  /** When it was cosigned, in seconds since 1970. Together with the note, this is enough to make the cosignature again. */
  readonly time: bigint;
}

/** A request that the log signed and that contradicts what it had signed before: proof against it. */
export interface WitnessEvidence {
  readonly origin: string;
  /** Why it was refused. */
  readonly reason: string;
  /** What the witness had cosigned; absent if nothing. */
  readonly held?: string;
  /** The whole request. */
  readonly request: Uint8Array;
}

/** What a witness must never lose: how far it has followed each log. */
export interface WitnessStore extends AsyncDisposable {
  headOf(origin: string): WitnessedHead | undefined;
  /** The newest head of the log whose origin has this SHA-256, in hex. */
  headOfHash(originHash: string): WitnessedHead | undefined;
  /** Stores a head if the stored one is still `before` (undefined: none), atomically and durably if it returns true. */
  replaceHead(origin: string, before: TreeHead | undefined, head: WitnessedHead): boolean;
  /** Keeps each request once, and only as many as cannot fill a disk. */
  keepEvidence(evidence: WitnessEvidence): Promise<void>;
}
