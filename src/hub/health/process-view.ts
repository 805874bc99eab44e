/** One process of a hub, as operators see it. */
export interface ProcessView {
  readonly name: string;
  /** `serve` or `worker`. */
  readonly kind: string;
  readonly started: string;
  /** How long it has been silent. */
  readonly silentSeconds: number;
  /** How many writes its copy of the hub lacked then. */
  readonly behind: number;
  /** How many sources it visits. */
  readonly visits?: unknown;
  /** What it alone does. */
  readonly roles?: unknown;
}

/** A hub of several processes, as one of them knows it. */
export interface ClusterView {
  /** How many of the known writes this process lacks. */
  readonly behind: number;
  /** Since when it is not known whether there are more; absent while the database answers. */
  readonly currentAt?: string;
  readonly trouble?: string;
  readonly processes: readonly ProcessView[];
}
