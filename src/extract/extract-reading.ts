import { findReading, treeOf } from './find-content.ts';
import type { HtmlElement } from './html-tree.ts';
import { markdownOf, readSections } from './read-sections.ts';
import { NO_RULES, type ReadingRules } from './rules/reading-rules.ts';
import type { RuledTree } from './rules/ruled-tree.ts';

/** A page prepared for reading. */
interface ReadableContent {
  readonly markdown: string;
  /** The tree that is left after everything but content is removed. */
  readonly root: HtmlElement;
  /** The headings of its sections, in order. */
  readonly headings: readonly SectionHeading[];
}

export interface SectionHeading {
  readonly element: HtmlElement;
  readonly text: string;
  readonly level: number;
}

interface ReadingOptions {
  /** Which parts of the page are read. Default: all. */
  readonly rules?: ReadingRules;
  /** The tree of `html` by those rules, if it exists already. It is pruned in place. */
  readonly parsed?: RuledTree;
  /** The base for links: the page's `<base>`. Default: its URL. */
  readonly base?: string;
}

/**
 * The content of a page, without what readers skip. What the page is and how its author names things decides.
 *
 * Any text is read as HTML; nothing is thrown. The result is not for comparison: see {@link extractPage}.
 */
export function extractReading(html: string, url: string, options: ReadingOptions = {}): ReadableContent {
  const unread = { html, url, rules: options.rules ?? NO_RULES };
  const { root, main, measures } = findReading(unread, options.parsed ?? treeOf(unread));
  const drafts = readSections(main, { url, measures, base: options.base ?? url, isCompared: false });
  const headings = drafts.flatMap(({ heading, headingText, level }) =>
    heading === undefined ? [] : [{ element: heading, text: headingText, level }],
  );
  return { markdown: markdownOf(drafts), root, headings };
}
