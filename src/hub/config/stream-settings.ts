/** The limits of event streams: their number, and the cost of each. */
export interface StreamSettings {
  /** All together. */
  readonly most: number;
  /** Of one client address; 0: no limit. */
  readonly perClient: number;
  /** With one API key; 0: no limit. */
  readonly perKey: number;
  /** How much may wait in memory for one reader; a stream with more is ended, and its reader returns with its cursor. */
  readonly waitingBytes: number;
  /** The same for all of them together. */
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
