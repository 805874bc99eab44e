/** How much of something is kept: everything younger than this, or as much as fits. */
export type Keep =
  | { readonly days: number; readonly bytes?: undefined }
  | { readonly bytes: number; readonly days?: undefined };

/** How much of its growing data a hub keeps. Absent: everything. */
export interface Retention {
  /** The text of earlier versions of pages, for `why`. */
  readonly snapshots?: Keep;
  /** Finished checks of sources. */
  readonly checks?: Keep;
  /** The log; what is cut off is stored in archives. */
  readonly log?: Keep;
  /** Archives of documents, by dialect. */
  readonly archives?: Readonly<Record<string, Keep>>;
}
