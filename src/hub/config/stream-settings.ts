/** How many streams of events there may be, and what each may cost. */
export interface StreamSettings {
  /** All together. */
  readonly most: number;
  /** Of one client address; 0: no limit. */
  readonly perClient: number;
  /** With one API key; 0: no limit. */
  readonly perKey: number;
  /** So much may wait in memory for one reader; who lets more wait is ended, and comes back by its cursor. */
  readonly waitingBytes: number;
  /** As much for all of them. */
  readonly waitingBytesInAll: number;
  readonly heartbeatSeconds: number;
}

export const DEFAULT_STREAMS: StreamSettings = {
  most: 20_000,
  perClient: 64,
  perKey: 256,
  waitingBytes: 256 * 1024,
  waitingBytesInAll: 64 * 1024 * 1024,
  heartbeatSeconds: 15,
};
