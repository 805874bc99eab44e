import type { HttpHeaders } from '../fetch/http-client.ts';

export interface RenderRequest {
  readonly url: URL;
  /** The decoded body of the one polite fetch. The page is not fetched again. */
  readonly html: string;
  /** Of the same answer. */
  readonly headers: HttpHeaders;
  /** For everything: waiting for a browser, starting it, running the page and reading it. Cleanup takes a little longer. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs a page's scripts and returns the resulting page.
 *
 * Requests of the page are made like all others: under our name, through the guarded client, as robots.txt allows, with GET only and without cookies.
 * A page is untrusted: it cannot reach further, run longer than its deadline, leave anything behind, or see what another page left. Renders may run
 * in parallel.
 */
export interface Renderer extends AsyncDisposable {
  /**
   * The page's HTML after its scripts ran, with open shadow roots written out in place and without `noscript`. Throws a {@link RenderError}, or a
   * {@link FetchAbortedError} if the caller's signal ended it.
   */
  render(request: RenderRequest): Promise<string>;
}
