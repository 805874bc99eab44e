import type { HttpHeaders } from '../fetch/http-client.ts';

export interface RenderRequest {
  readonly url: URL;
  /** What the one polite fetch of the page brought, decoded. The page is not fetched again. */
  readonly html: string;
  /** Of the same answer. */
  readonly headers: HttpHeaders;
  /** For everything: waiting for a browser, starting it, running the page and reading it. Clearing away takes a moment more. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs a page's scripts and says what the page looks like then.
 *
 * What the page asks for goes out as everything else does: under our own name, through the guarded client, as robots.txt
 * allows, with GET only and without cookies. A page is a stranger: it can neither reach further, nor stay longer than its
 * deadline, nor leave anything behind, nor see what another page left. Renders may run side by side.
 */
export interface Renderer extends AsyncDisposable {
  /**
   * The page's HTML after its scripts ran, open shadow roots written out in place, without `noscript`. Throws a
   * {@link RenderError}, or a {@link FetchAbortedError} when the caller's signal ended it.
   */
  render(request: RenderRequest): Promise<string>;
}
