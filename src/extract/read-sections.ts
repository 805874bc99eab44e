import type { HtmlElement } from './html-tree.ts';
import type { Measures } from './measure.ts';
import { SectionReader } from './section-reader.ts';

/** What stands between two headings, before it has a name. */
export interface SectionDraft {
  /** Absent for what stands before the first heading. */
  readonly heading: HtmlElement | undefined;
  readonly headingText: string;
  /** The heading's words alone, settled as for comparing, so that its slug outlives a formatter. */
  readonly headingWords: string;
  readonly headingComparable: string;
  readonly level: number;
  /** What counts for comparing: words, code, cells, where links lead, and what an author does to them. */
  readonly comparable: string;
  readonly markdown: string;
}

export interface ReadOptions {
  readonly url: string;
  /** What links are shown relative to; comparing always goes by `url`. */
  readonly base: string;
  readonly measures: Measures;
}

/** The content below `root`, cut at every heading; the preamble comes first, empty or not. */
export function readSections(root: HtmlElement, options: ReadOptions): SectionDraft[] {
  const reader = new SectionReader(root, options);
  reader.read(root);
  return reader.finish();
}
