/** How one page stands between its site and the index. */
export interface PageMark {
  readonly url: string;
  readonly source: string;
  /**
   * `held`: the sink has it as it was read. `dirty`: it is to be read. `refused`: its terms say no. `leaving`: its site does not have it any more, and the sink
   * may have it still.
   */
  readonly is: 'held' | 'dirty' | 'refused' | 'leaving';
  /** RFC 3339: when it was last found changed. */
  readonly updated: string;
  /** Of what the sink holds. */
  readonly checksum?: string | undefined;
  /** How many sections the sink holds. */
  readonly sections?: number | undefined;
  /** Why it could not be read, or who says no. */
  readonly reason?: string | undefined;
  /** When its host first said that there is no such page. It is believed when a later look says so, too. */
  readonly goneSinceMs?: number | undefined;
}

/** How far the stream was taken, and for what. */
export interface SyncPlace {
  /** Behind the last change that was taken: all that it means is done, or stands among the marks. */
  readonly cursor?: string | undefined;
  /** The stream was taken from its first change on: a page of which nothing is known is not on its site. */
  readonly isWhole?: boolean | undefined;
  /** Names what pages were read for and how: with another one, all of them are read again. */
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
 * What a sync remembers. `write` is one step, durable when it resolves. One that is lost costs a comparison of everything with the index, and nothing
 * else.
 *
 * Every implementation passes `describeSyncState()` in sync-state.contract.ts.
 */
export interface SyncState extends AsyncDisposable {
  load(): Promise<{ readonly place: SyncPlace; readonly marks: readonly PageMark[] }>;
  write(edits: StateEdits): Promise<void>;
}
