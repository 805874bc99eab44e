/** What this process has let through of a client since it last said so. */
export interface LimitReport {
  /** Of which limit: names of clients count for one of them. */
  readonly limit: string;
  readonly client: string;
  readonly count: number;
  /** Until the window of this process ends: that of all, where it is the first. */
  readonly leftMs: number;
}

/** How a client stands over all processes, what was just reported included. */
export interface SharedCount {
  readonly total: number;
  readonly leftMs: number;
}

/**
 * Where the processes of a hub add up what each lets through. One call is one step: all of its reports count, or none. What it throws means that it is
 * not known which.
 */
export interface LimitExchange {
  /** Answers in the order of the reports. */
  report(reports: readonly LimitReport[]): Promise<readonly SharedCount[]>;
}
