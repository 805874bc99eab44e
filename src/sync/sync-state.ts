/** The state of one page between its site and the index. */
export interface PageMark {
  readonly url: string;
  readonly source: string;
  /**
   * `held`: the sink has it as it was read. `dirty`: it must be read. `refused`: its terms refuse the use. `leaving`: its site no longer has it, but
   * the sink may.
   */
  readonly is: 'held' | 'dirty' | 'refused' | 'leaving';
  /** RFC 3339: when it was last found changed. */
  readonly updated: string;
  /** Of the sink's copy. */
  readonly checksum?: string | undefined;
  /** The number of sections in the sink. */
  readonly sections?: number | undefined;
  /** Why it could not be read, or who refuses. */
  readonly reason?: string | undefined;
  /** When its host first said that the page does not exist. It is believed when a later look confirms it. */
  readonly goneSinceMs?: number | undefined;
}

/** How far the stream was read, and for what. */
export interface SyncPlace {
  /** After the last change that was read: its effects are done, or recorded in the marks. */
  readonly cursor?: string | undefined;
  /** The stream was read from its first change: an unknown page is not on its site. */
  readonly isWhole?: boolean | undefined;
  /** Identifies the purpose and the way of reading: if it changes, all pages are read again. */
  readonly setup?: string | undefined;
  /** When all pages of the sites were last looked at. */
  readonly lookedAtMs?: number | undefined;
}

export interface StateEdits {
  readonly place?: SyncPlace | undefined;
  readonly put?: readonly PageMark[];
  /** URLs. */
  readonly drop?: readonly string[];
}

/**
 * What a sync stores. `write` is atomic and durable when it resolves. Losing the state only costs a comparison of everything with the index.
 *
 * Every implementation passes `describeSyncState()` in sync-state.contract.ts.
 */
export interface SyncState extends AsyncDisposable {
  load(): Promise<{ readonly place: SyncPlace; readonly marks: readonly PageMark[] }>;
  write(edits: StateEdits): Promise<void>;
}
