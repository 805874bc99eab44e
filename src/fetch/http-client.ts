import type { Asker } from './asker.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of `url` alone: never over a redirect to another one. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** The most bytes that the body may have, on the wire and decoded; more is a failure, never a cut. */
  readonly maxBodyBytes?: number;
  /**
   * For the whole exchange, redirects and body included. Time that the reader of the body takes between
   * two pieces does not count: a slow reader cannot make an honest origin look slow.
   */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Called with every URL before it is asked, that of a redirect too, and waited for outside the deadline. What it
   * throws ends the exchange.
   */
  readonly beforeHop?: (url: URL) => Promise<void>;
  /** On whose behalf: it decides whom a pause binds that is asked for in return. */
  readonly asker?: Asker;
}

/** Names are lower case; several values of one name are joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpResponse {
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  /** The status of each redirect on the way there, in order. Absent where there was none. */
  readonly redirects?: readonly number[];
  readonly status: number;
  readonly headers: HttpHeaders;
  /**
   * The decoded body, read from the wire no faster than it is taken. Throws when it is cut short, over its cap
   * or past the deadline, or has another digest than its answer names (RFC 9530), so that a half-read body can never pass for a whole one. Read it to its end or call `discard`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** What came first did not have its digest; this came when it was asked for once more, uncompressed. */
  readonly wasAltered?: true;
  /** How much of the body came over the wire so far, compressed as it was. Absent: nobody measures that. */
  wireBytes?(): number;
  discard(): Promise<void>;
}

/**
 * The one way out. Follows redirects (each hop guarded again), refuses private addresses unless
 * built to allow them, and throws a {@link FetchError} when no answer could be had. Any status is an answer.
 * Every request goes out under our own name, and without cookies, credentials or referrer.
 */
export interface HttpClient extends AsyncDisposable {
  get(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpPost extends Omit<HttpRequest, 'beforeHop'> {
  /** POST unless said otherwise. */
  readonly method?: 'POST' | 'PUT';
  readonly body: string | Uint8Array;
}

/**
 * The same way out for what is sent. A redirect is an answer like any other: what was meant for one place goes to no
 * second one.
 */
export interface HttpPoster {
  post(request: HttpPost): Promise<HttpResponse>;
}
