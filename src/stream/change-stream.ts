import type { Change } from '../model/change.ts';

/**
 * The log of a hub, wherever that hub is: in this process, or behind its API. `sync` and `mcp` read it, and `follow` where a site has no feed.
 *
 * Cursors are ids of changes, as in `/api/v1/changes`: whoever keeps `next` goes on behind it, over restarts, without a hole and without a
 * double. A cursor that the log does not reach back to is refused with a {@link CursorLostError}, never taken for the start.
 */
export interface ChangeStream extends AsyncDisposable {
  /** The changes behind a cursor, oldest first; without one, from the start. */
  changes(query: ChangesQuery, signal: AbortSignal): Promise<ChangesPage>;
  /** In order of id. */
  sources(signal: AbortSignal): Promise<readonly StreamSource[]>;
  /**
   * Where the hub is ours, every source is looked at now; elsewhere, nothing is asked for. Resolves when all were, with how it went for each.
   * What was found stands in the log by then.
   */
  look(signal: AbortSignal): Promise<readonly SourceLook[]>;
  /** Resolves as soon as the log may have grown, at the latest after so long, at once when the signal is aborted. */
  news(maxWaitMs: number, signal: AbortSignal): Promise<void>;
}

export interface ChangesQuery {
  /** `next` of the answer before. */
  readonly after?: string | undefined;
  readonly source?: string | undefined;
  /** At most 1,000; 100 unless said otherwise. */
  readonly limit?: number | undefined;
}

/** A change as the API shows it. */
export interface StreamedChange extends Change {
  /** What it invalidates: the page, or `page#anchor`. */
  readonly boundary: string;
}

export interface ChangesPage {
  readonly changes: readonly StreamedChange[];
  /** Where to go on; null while the log is empty. */
  readonly next: string | null;
}

export interface StreamSource {
  readonly id: string;
  /** What is watched: the address of a site, a feed or a page. */
  readonly url: string;
  readonly kind: string;
  readonly status: string;
  readonly title?: string;
  /** What the last check failed of. */
  readonly errorMessage?: string;
}

/** How one source stands behind a look at it. */
export interface SourceLook {
  readonly source: string;
  readonly url: string;
  /** `stopped`: a breaker holds it until a person has looked. */
  readonly is: 'ok' | 'failed' | 'stopped';
  /** Why not, and what to do. */
  readonly message?: string;
}
