import type { TreeHead } from '../codecs/tlog/verify-proof.ts';

/** The largest consistent tree of a log that a witness has cosigned. */
export interface WitnessedHead extends TreeHead {
  /** The checkpoint as the log signed it: signatures that were verified, and no others. */
  readonly note: string;
  /** When it was cosigned, in seconds since 1970. With the note it is all that the cosignature can be made from again. */
  readonly time: bigint;
}

/** A request that was signed by the log and contradicts what it had signed before: proof against it. */
export interface WitnessEvidence {
  readonly origin: string;
  /** Why it was refused. */
  readonly reason: string;
  /** What the witness had cosigned; absent where that was nothing. */
  readonly held?: string;
  /** The whole request. */
  readonly request: Uint8Array;
}

/** What a witness must never forget: how far it has followed each log. */
export interface WitnessStore extends AsyncDisposable {
  headOf(origin: string): WitnessedHead | undefined;
  /** The newest head of the log whose origin has this SHA-256, in hex. */
  headOfHash(originHash: string): WitnessedHead | undefined;
  /** Stores a head if the stored one is still `before` (undefined: none is), in one step that is durable when it returns true. */
  replaceHead(origin: string, before: TreeHead | undefined, head: WitnessedHead): boolean;
  /** The same request is kept once, and not more of them than an attacker may fill a disk with. */
  keepEvidence(evidence: WitnessEvidence): Promise<void>;
}
