/** How much of something is kept: what is younger, or what fits. */
export type Keep =
  | { readonly days: number; readonly bytes?: undefined }
  | { readonly bytes: number; readonly days?: undefined };

/** What a hub keeps of what only grows. Absent: everything. */
export interface Retention {
  /** The text of earlier versions of pages, for `why`. */
  readonly snapshots?: Keep;
  /** Finished checks of sources. */
  readonly checks?: Keep;
  /** The log; what is cut off stands in archives. */
  readonly log?: Keep;
  /** Archives of documents, by dialect. */
  readonly archives?: Readonly<Record<string, Keep>>;
}
