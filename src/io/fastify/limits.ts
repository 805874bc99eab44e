export interface ServerLimits {
  /** The size of the request line and all headers together. */
  readonly headerBytes: number;
  readonly urlCharacters: number;
  readonly bodyBytes: number;
  /** The maximum of connections at once, not counting streams. */
  readonly connections: number;
  /** The maximum of streams besides them. */
  readonly streams: number;
  /** As many of one client address; 0: no limit. Those of trusted proxies are not counted. */
  readonly connectionsPerClient: number;
  /** For all headers, from the connection or the end of the last request. */
  readonly headersTimeoutMs: number;
  /** For the whole request, its body included. */
  readonly requestTimeoutMs: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveMs: number;
  /** For how long a client may take its answers more slowly than `minBytesPerSecond`. */
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
}

export const DEFAULT_LIMITS: ServerLimits = {
  headerBytes: 16 * 1024,
  urlCharacters: 8 * 1024,
  bodyBytes: 1024 * 1024,
  connections: 2048,
  streams: 20_000,
  connectionsPerClient: 64,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 10_000,
  stallMs: 30_000,
  minBytesPerSecond: 1024,
};
