/** A block that differs at most looks, so its changes are held back. */
export interface VolatileBlock {
  /** The element, like `div.related`, or the section that contains its lines, like `#intro`. */
  readonly where: string;
  /** The page if the block is on one page only; otherwise the number of pages. */
  readonly url?: string;
  readonly pages?: number;
  /** How often it changed, in how many looks at these pages, and since when. */
  readonly changed: number;
  readonly looks: number;
  readonly since: string;
}

/** The parts of the pages of a source whose changes are not reported. */
export interface VolatileParts {
  readonly volatile?: readonly VolatileBlock[];
  /** Pages whose whole text differs at some looks and is the same again at others. */
  readonly unstable?: readonly string[];
}
