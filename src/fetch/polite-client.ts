import type { HttpRequest, HttpResponse } from './http-client.ts';

export interface PoliteRequest extends HttpRequest {
  /** How long a turn may be waited for; a longer pause is a {@link HostPausedError} at once. */
  readonly maxWaitMs?: number;
}

/**
 * How pages and sitemaps are asked for: as robots.txt allows, one at a time per host, with a pause behind each, and not
 * at all while an origin has asked for peace. Each hop of a redirect is bound by the same rules.
 *
 * The turn of a host ends with the body: read it to its end or call `discard`.
 */
export interface PoliteClient {
  /** Throws a {@link RobotsDeniedError}, a {@link HostPausedError}, or what {@link HttpClient} throws. Any status is an answer. */
  get(request: PoliteRequest): Promise<HttpResponse>;
  /** What the robots.txt of this origin names as sitemaps; none where it cannot be read. */
  sitemapsOf(origin: URL): Promise<readonly URL[]>;
}
