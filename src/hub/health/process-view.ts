/** One process of a hub, as operators see it. */
export interface ProcessView {
  readonly name: string;
  /** `serve` or `worker`. */
  readonly kind: string;
  readonly started: string;
  /** It said nothing for so long. */
  readonly silentSeconds: number;
  /** So many writes its copy of the hub lacked then. */
  readonly behind: number;
  /** So many sources it visits. */
  readonly visits?: unknown;
  /** What it alone does. */
  readonly roles?: unknown;
}

/** A hub of several processes, as one of them knows it. */
export interface ClusterView {
  /** So many writes this process lacks, of those that it has heard of. */
  readonly behind: number;
  /** Since when it is not known whether there are more; absent while the database answers. */
  readonly currentAt?: string;
  readonly trouble?: string;
  readonly processes: readonly ProcessView[];
}
