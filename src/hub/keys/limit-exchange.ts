/** What this process has let through for a client since its last report. */
export interface LimitReport {
  /** The name of the limit: client names are unique within one. */
  readonly limit: string;
  readonly client: string;
  readonly count: number;
  /** Until the window of this process ends; the first report defines the window of all. */
  readonly leftMs: number;
}

/** The count of a client over all processes, including what was just reported. */
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
