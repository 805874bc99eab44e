/** A block that is different at most looks, so that its changes are held back. */
export interface VolatileBlock {
  /** The element, like `div.related`; or the section that its lines stand in, like `#intro`. */
  readonly where: string;
  /** The page, where it is on one alone; else on how many it is. */
  readonly url?: string;
  readonly pages?: number;
  /** How often it changed, in how many looks at these pages, and since when. */
  readonly changed: number;
  readonly looks: number;
  readonly since: string;
}

/** What of the pages of a source is not told. */
export interface VolatileParts {
  readonly volatile?: readonly VolatileBlock[];
  /** Pages whose whole text is another one at some looks, and the same again at others. */
  readonly unstable?: readonly string[];
}
