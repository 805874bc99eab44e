import type { AnchorKind } from './change.ts';
import type { Spot } from './spot.ts';

/**
 * A section as the diff sees it: its name and its fingerprints.
 *
 * A section runs from one heading to the next heading of any level.
 */
export interface SectionOutline {
  /** The heading's own id, else that of a child or wrapping element, else a slug of the heading path. Unique in its page. */
  readonly anchor: string;
  /** `sha256:<hex>` of heading and text. */
  readonly checksum: string;
  /** `sha256:<hex>` of the text alone: finds a section again whose heading was renamed. */
  readonly body: string;
  /** What stands below the heading, as plain text: only where it is short, and then whole. */
  readonly text?: string;
  /** Marks of its lines, the heading's first; see extract/line-marks.ts. Unknown in what an earlier version wrote. */
  readonly lines?: string;
}

/** What must be remembered of a page to say later, section by section, what changed. */
export interface PageOutline {
  readonly url: string;
  readonly title: string;
  /** Version of the extractor that made these fingerprints, and its rules where there are some; others do not compare. */
  readonly extractor: string;
  /** `sha256:<hex>` of title, preamble and all sections in order, with their names. */
  readonly checksum: string;
  /** `sha256:<hex>` of what stands before the first heading. */
  readonly preamble: string;
  /** Marks of the lines before the first heading. */
  readonly preambleLines?: string;
  readonly sections: readonly SectionOutline[];
  /** Where it changed of late, or changes again and again. Known of pages that are remembered. */
  readonly spots?: readonly Spot[];
}

export interface Section extends SectionOutline {
  /** `key` where the heading has no id. Another element of the page may have it all the same. */
  readonly anchorIs?: AnchorKind;
  readonly heading: string;
  readonly level: number;
  /** The section with its heading line. */
  readonly markdown: string;
}

/** What one URL said at one moment. */
export interface Page extends PageOutline {
  readonly sections: readonly Section[];
  /** The whole page: preamble, then every section. */
  readonly markdown: string;
  /** Its title element, where it is called by its heading. */
  readonly fullTitle?: string;
  /** Nothing in it is what the rules read alone, so that it was read as usual. */
  readonly isUnmatched?: true;
}

/** How the pages of a live site were found. */
export type FoundBy = 'sitemaps' | 'links';
