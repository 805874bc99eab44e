/** Whether the feed of a source told the truth about a few of its pages, when somebody looked last. */
export interface HonestyStanding {
  readonly atMs: number;
  /** Pages that the next look compares. */
  readonly sampled: number;
  /** Pages that could be compared; 0 at the first look. */
  readonly compared: number;
  readonly toldAndTrue: number;
  readonly toldNotSeen: number;
  readonly seenNotTold: number;
  /** In seconds. */
  readonly timesOff: { readonly median: number | null; readonly max: number | null };
  /** Those with findings, the first of them. */
  readonly pages: readonly HonestyFinding[];
}

export interface HonestyFinding {
  readonly url: string;
  readonly verdict: string;
  readonly told: readonly string[];
  readonly seen: readonly string[];
}
