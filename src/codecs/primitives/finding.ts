export type ClauseLevel = 'MUST' | 'SHOULD' | 'MAY';

/** One thing that `check` says about a feed: which clause, where, what was seen, what to do. */
export interface Finding {
  readonly clause: string;
  readonly level: ClauseLevel;
  /** The URL or file, with `:line` if known. */
  readonly where: string;
  readonly seen: string;
  readonly remedy: string;
}
