import type { HttpHeaders } from '../fetch/http-client.ts';
import type { PoliteClient, PoliteRequest } from '../fetch/polite-client.ts';
import type { Validators } from '../fetch/response-headers.ts';

export type PageMediaType = 'text/html' | 'application/xhtml+xml' | 'text/plain' | 'text/markdown';

/** A page as one polite fetch found it: a 200 with text in it. */
export interface LivePage {
  readonly kind: 'page';
  /** Where it was found, after redirects. No fragment. */
  readonly url: URL;
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly mediaType: PageMediaType;
  /** Decoded as the header, the BOM or the page itself says. */
  readonly text: string;
  /** Of the bytes: `sha256`, base64url. */
  readonly bytesHash: string;
  readonly fetchedAtMs: number;
}

export interface NotModified {
  readonly kind: 'not-modified';
  readonly url: URL;
  readonly headers: HttpHeaders;
  readonly fetchedAtMs: number;
}

export interface LivePageRequest extends Pick<PoliteRequest, 'url' | 'deadlineMs' | 'signal' | 'maxWaitMs'> {
  /** Of a copy that is kept: the answer may then be {@link NotModified}. */
  readonly validators?: Validators;
}

/** Where live pages come from. */
export interface LivePages {
  /**
   * Throws an error of its own for whatever is no readable page: RobotsDeniedError, HostPausedError, AccessDeniedError (401, 402, 403),
   * PageGoneError (404, 410), PageStatusError (any other status), NotAPageError (another media type, no text, not decodable), or a FetchError.
   */
  read(request: LivePageRequest): Promise<LivePage | NotModified>;
}

export interface LivePagesOptions {
  readonly client: PoliteClient;
  readonly now: () => number;
}
