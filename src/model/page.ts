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
  /** `sha256:<hex>` of the text alone. It finds a section again after its heading was renamed. */
  readonly body: string;
  /** The text below the heading, as plain text. Present only if it is short, and then complete. */
  readonly text?: string;
  /** Marks of its lines, the heading first; see extract/line-marks.ts. Absent in data that an earlier version wrote. */
  readonly lines?: string;
}

/** What must be stored about a page to say later, section by section, what changed. */
export interface PageOutline {
  readonly url: string;
  readonly title: string;
  /** Version of the extractor that made these fingerprints, plus its rules if it has any. Fingerprints of different extractors cannot be compared. */
  readonly extractor: string;
  /** `sha256:<hex>` of title, preamble and all sections in order, with their names. */
  readonly checksum: string;
  /** `sha256:<hex>` of the text before the first heading. */
  readonly preamble: string;
  /** Marks of the lines before the first heading. */
  readonly preambleLines?: string;
  readonly sections: readonly SectionOutline[];
  /** Places that changed recently or change repeatedly. Known only for stored pages. */
  readonly spots?: readonly Spot[];
}

export interface Section extends SectionOutline {
  /** `key` if the heading has no id. Another element of the page may still have the anchor as its id. */
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
  /** Its title element, if `title` was taken from the heading instead. */
  readonly fullTitle?: string;
  /** No part of the page matched the only-these-parts rules, so it was read without them. */
  readonly isUnmatched?: true;
}

/** How the pages of a live site were found. */
export type FoundBy = 'sitemaps' | 'links';
