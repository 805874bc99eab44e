import type { CheckRecord, SourceHealth, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

/** What happens while a hub watches: facts for its logs and metrics. */
export type WatchEvent =
  | {
      readonly is: 'checked';
      /** As it stands behind the check. */
      readonly source: WatchedSource;
      /** As it stood before. */
      readonly before: SourceHealth;
      readonly outcome: Exclude<VisitOutcome, { readonly is: 'abandoned' }>;
      readonly check: CheckRecord;
      /** Of the notes of the visit, those that its last good check did not have. */
      readonly newNotes: readonly string[];
    }
  /** A visit was cut short by a stop, a pause or a removal. `changes` of it are in the log. */
  | { readonly is: 'abandoned'; readonly source: WatchedSource; readonly changes: number }
  /** Nobody was asked: it was too early. That is no check. */
  | { readonly is: 'postponed'; readonly source: WatchedSource }
  | { readonly is: 'added' | 'replaced' | 'removed' | 'paused' | 'resumed'; readonly source: WatchedSource }
  /** Another process wrote it. */
  | { readonly is: 'adopted'; readonly source: WatchedSource }
  /** The config has an id that was added over the API before; the config counts. */
  | { readonly is: 'overridden'; readonly source: WatchedSource }
  /** Once, when the store begins to refuse what is written. */
  | { readonly is: 'unwritable'; readonly reason: string }
  | { readonly is: 'writable-again' }
  /** Sources are read this much later than they are due; at most once a minute. */
  | { readonly is: 'late'; readonly lagMs: number }
  /** A fault of ours. The hub goes on. */
  | { readonly is: 'bug'; readonly source?: string; readonly error: unknown };
