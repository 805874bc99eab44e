import type { Change } from '../model/change.ts';

/**
 * The log of a hub, in this process or behind its API. `sync` and `mcp` read it, and so does `follow` if a site has no feed.
 *
 * Cursors are ids of changes, as in `/api/v1/changes`: a reader that stores `next` continues after it, across restarts, without a gap or a duplicate.
 * If the log does not reach back to a cursor, it is refused with a {@link CursorLostError}, never taken for the start.
 */
export interface ChangeStream extends AsyncDisposable {
  /** The changes after a cursor, oldest first; without one, from the start. */
  changes(query: ChangesQuery, signal: AbortSignal): Promise<ChangesPage>;
  /** In order of id. */
  sources(signal: AbortSignal): Promise<readonly StreamSource[]>;
  /**
   * If the hub is ours, checks every source now; otherwise does nothing. Resolves when all were checked, with the result for each. Everything found
   * is in the log by then.
   */
  look(signal: AbortSignal): Promise<readonly SourceLook[]>;
  /** Resolves as soon as the log may have grown, at the latest after this time, or at once if the signal is aborted. */
  news(maxWaitMs: number, signal: AbortSignal): Promise<void>;
}

export interface ChangesQuery {
  /** `next` of the previous answer. */
  readonly after?: string | undefined;
  readonly source?: string | undefined;
  /** At most 1,000. Default: 100. */
  readonly limit?: number | undefined;
}

/** A change as the API shows it. */
export interface StreamedChange extends Change {
  /** What it invalidates: the page, or `page#anchor`. */
  readonly boundary: string;
}

export interface ChangesPage {
  readonly changes: readonly StreamedChange[];
  /** Where to continue; null if the log is empty. */
  readonly next: string | null;
}

export interface StreamSource {
  readonly id: string;
  /** The watched URL of a site, a feed or a page. */
  readonly url: string;
  readonly kind: string;
  readonly status: string;
  readonly title?: string;
  /** Why the last check failed. */
  readonly errorMessage?: string;
}

/** The state of one source after a look at it. */
export interface SourceLook {
  readonly source: string;
  readonly url: string;
  /** `stopped`: a breaker holds it until a person has looked. */
  readonly is: 'ok' | 'failed' | 'stopped';
  /** Why not, and what to do. */
  readonly message?: string;
}
