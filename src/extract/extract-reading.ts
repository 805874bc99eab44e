import { findReading, treeOf } from './find-content.ts';
import type { HtmlElement } from './html-tree.ts';
import { markdownOf, readSections } from './read-sections.ts';
import { NO_RULES, type ReadingRules } from './rules/reading-rules.ts';
import type { RuledTree } from './rules/ruled-tree.ts';

/** A page as a reader wants it. */
interface ReadableContent {
  readonly markdown: string;
  /** The tree that is left once everything but content is taken out. */
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
  /** The tree of `html`, by those rules, where there is one already. It is pruned in place. */
  readonly parsed?: RuledTree;
  /** What links are resolved against: the page's `<base>`. Default: its URL. */
  readonly base?: string;
}

/**
 * What a page says, without what readers pass over, by what the page is and how its author calls things.
 *
 * Any text is read as HTML; nothing is thrown. Nothing of it is compared: see {@link extractPage}.
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
