import type { LogEnd } from '../../log/place-changes.ts';
import type { PlannedSource } from './journal.ts';

/** A whole replica as it was at one place of the journal. */
export interface Base {
  readonly rev: number;
  readonly bytes: number;
  /** Of its bytes, in hex. */
  readonly sha256: string;
}

/** With what a journal begins that takes over a hub of one machine. */
export interface HubSeed {
  /** The name of its history from then on: whoever brings the hub has chosen it, and finds it again. */
  readonly epoch: string;
  /** Its newest change: the log goes on behind it. */
  readonly end: LogEnd | undefined;
  readonly plan: readonly PlannedSource[];
}

/** Where the processes of a hub keep replicas for those who begin. */
export interface Bases {
  /** Undefined where there is none: whoever begins reads the journal from its start. */
  newest(): Promise<Base | undefined>;
  /** Its bytes, in pieces. Fails where it was replaced meanwhile. */
  read(base: Base): AsyncIterable<Uint8Array>;
  /**
   * Keeps another one. It counts when all of it is there; then those before it are dropped, and the writes up to the one before it, so that who is a little
   * behind can read on.
   */
  put(rev: number, pieces: AsyncIterable<Uint8Array>): Promise<Base>;
  /**
   * The first one, of a journal that holds nothing yet: it, the name of its history, the end of the log and the plan count in one step. Refused where the
   * journal holds something.
   */
  begin(pieces: AsyncIterable<Uint8Array>, seed: HubSeed): Promise<Base>;
  /** Whether the journal began with that seed. By then each `begin` that was cut off has ended, one way or the other. */
  isBegun(epoch: string): Promise<boolean>;
  /** What the writes behind the newest base take; all of them where there is none. */
  bytesBehind(): Promise<number>;
}
