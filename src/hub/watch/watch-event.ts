import type { CheckRecord, SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

/** What happens while a hub watches, for its logs and metrics. */
export type WatchEvent =
  | {
      readonly is: 'checked';
      /** As it is after the check. */
      readonly source: WatchedSource;
      /** As it was before. */
      readonly before: SourceHealth;
      readonly outcome: Exclude<VisitOutcome, { readonly is: 'abandoned' }>;
      readonly check: CheckRecord;
      /** The notes of this visit that the last good check did not have. */
      readonly newNotes: readonly string[];
    }
  /** A visit was cut short by a stop, a pause or a removal. `changes` of its changes are in the log. */
  | { readonly is: 'abandoned'; readonly source: WatchedSource; readonly changes: number }
  /** No request was made, because it was too early. This does not count as a check. */
  | { readonly is: 'postponed'; readonly source: WatchedSource }
  | { readonly is: 'added' | 'replaced' | 'removed' | 'paused' | 'resumed'; readonly source: WatchedSource }
  /** Another process wrote it. */
  | { readonly is: 'adopted'; readonly source: WatchedSource }
  /** The config has an id that was added over the API before; the config wins. */
  | { readonly is: 'overridden'; readonly source: WatchedSource }
  /** Emitted once, when the store begins to refuse writes. */
  | { readonly is: 'unwritable'; readonly reason: string }
  | { readonly is: 'writable-again' }
  /** Sources are read this much later than they are due; emitted at most once a minute. */
  | { readonly is: 'late'; readonly lagMs: number }
  /** A bug of ours. The hub continues. */
  | { readonly is: 'bug'; readonly source?: string; readonly error: unknown };
