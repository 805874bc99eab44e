import type { Asker } from './asker.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent only to the origin of `url`, never to another one after a redirect. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** The maximum size of the body, on the wire and decoded; more is a failure, never a truncation. */
  readonly maxBodyBytes?: number;
  /**
   * For the whole exchange, including redirects and body. Time that the reader of the body takes between two pieces does not count: a slow reader
   * cannot make an honest origin look slow.
   */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** Called with every URL before the request, including redirect targets, and awaited outside the deadline. An exception ends the exchange. */
  readonly beforeHop?: (url: URL) => Promise<void>;
  /** On whose behalf the request is made: it decides whom a requested pause binds. */
  readonly asker?: Asker;
}

/** Names are lower case; several values of one name are joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string>>;

export interface HttpResponse {
  /** The URL of the response, after redirects. */
  readonly url: URL;
  /** The status of each redirect, in order. Absent if there was none. */
  readonly redirects?: readonly number[];
  readonly status: number;
  readonly headers: HttpHeaders;
  /**
   * The decoded body, read from the wire only as fast as it is consumed. Throws if it is truncated, too large, past the deadline, or does not match
   * the digest in the response (RFC 9530), so a partial body can never pass for a whole one. Read it to its end or call `discard`.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** The first body did not match its digest; this one came from a second, uncompressed request. */
  readonly wasAltered?: true;
  /** How many bytes of the body came over the wire so far, compressed if it was. Absent: not measured. */
  wireBytes?(): number;
  discard(): Promise<void>;
}

/**
 * The only way to the network. Follows redirects (each hop is guarded again), refuses private addresses unless built to allow them, and throws a
 * {@link FetchError} if there is no response. Any status is a response. Every request carries our name, and no cookies, credentials or referrer.
 */
export interface HttpClient extends AsyncDisposable {
  get(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpPost extends Omit<HttpRequest, 'beforeHop'> {
  /** Default: POST. */
  readonly method?: 'POST' | 'PUT';
  readonly body: string | Uint8Array;
}

/** The same guarded client for requests with a body. A redirect is returned like any other response: the body is never sent to a second place. */
export interface HttpPoster {
  post(request: HttpPost): Promise<HttpResponse>;
}
