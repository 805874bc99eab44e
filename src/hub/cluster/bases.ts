import type { LogEnd } from '../../log/place-changes.ts';
import type { PlannedSource } from './journal.ts';

/** The kind of a write that removes texts from the hub. */
export const REDACTION = 'redact';

/** A whole replica as it was at one place of the journal. */
export interface Base {
  readonly rev: number;
  readonly bytes: number;
  /** The hash of its bytes, in hex. */
  readonly sha256: string;
}

/** The start of a journal that takes over a hub of one machine. */
export interface HubSeed {
  /** The name of its history from then on. The process that brings the hub chooses it, so that it can recognise it later. */
  readonly epoch: string;
  /** Its newest change: the log continues after it. */
  readonly end: LogEnd | undefined;
  readonly plan: readonly PlannedSource[];
}

/** Where the processes of a hub keep copies of a replica for new processes. */
export interface Bases {
  /** Undefined if there is none: a new process then reads the journal from its start. */
  newest(): Promise<Base | undefined>;
  /** Its bytes, in pieces. Fails if it was replaced in the meantime. */
  read(base: Base): AsyncIterable<Uint8Array>;
  /**
   * Stores another base. It counts once it is complete. Then earlier bases are dropped, and the writes up to the previous base, so that processes that are a
   * little behind can still read on.
   */
  put(rev: number, pieces: AsyncIterable<Uint8Array>): Promise<Base>;
  /**
   * Stores the first base of an empty journal, together with the name of its history, the end of the log and the plan, in one step. Refused if the journal is
   * not empty.
   */
  begin(pieces: AsyncIterable<Uint8Array>, seed: HubSeed): Promise<Base>;
  /** Whether the journal began with that seed. When it resolves, every `begin` that was cut off has ended, one way or the other. */
  isBegun(epoch: string): Promise<boolean>;
  /** The size of the writes after the newest base; of all writes if there is none. */
  bytesBehind(): Promise<number>;
  /**
   * Whether the journal still holds writes from before a redaction that another base would drop now: either no base was made since the redaction, or the
   * newest one is `settledMs` old, so that every process has read past it.
   */
  holdsRedacted(settledMs: number): Promise<boolean>;
}
