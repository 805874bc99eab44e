/** The result of the last honesty check: whether the feed of a source reported changes truthfully for a few sampled pages. */
export interface HonestyStanding {
  readonly atMs: number;
  /** Pages that the next check will compare. */
  readonly sampled: number;
  /** Pages that could be compared; 0 at the first check. */
  readonly compared: number;
  readonly toldAndTrue: number;
  readonly toldNotSeen: number;
  readonly seenNotTold: number;
  /** In seconds. */
  readonly timesOff: { readonly median: number | null; readonly max: number | null };
  /** The first pages with findings. */
  readonly pages: readonly HonestyFinding[];
}

export interface HonestyFinding {
  readonly url: string;
  readonly verdict: string;
  readonly told: readonly string[];
  readonly seen: readonly string[];
}
