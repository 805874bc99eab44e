import type { Page, Section } from '../model/page.ts';
import { AnchorNames, baseOf } from './anchor-names.ts';
import { findContent, treeOf } from './find-content.ts';
import { fingerprintOf } from './fingerprint.ts';
import { headingId } from './heading-anchor.ts';
import type { HtmlElement } from './html-tree.ts';
import { lineMarksOf } from './line-marks.ts';
import type { Measures } from './measure.ts';
import { pageTitle, titleElementOf } from './page-title.ts';
import { markdownOf, readSections } from './read-sections.ts';
import { NO_RULES, type ReadingRules } from './rules/reading-rules.ts';
import { isSearchTool } from './search-tool.ts';
import type { SectionDraft } from './section-reader.ts';
import { slugOf } from './slug.ts';

/**
 * The content of a page, section by section, for comparison. Only furniture by form is left out, so that no edit is missed and a renamed class is not a change.
 *
 * Any text is read as HTML; nothing is thrown. The same content gives the same Page, whatever the theme around it.
 */
export function extractPage(html: string, url: string, rules: ReadingRules = NO_RULES): Page {
  const unread = { html, url, rules };
  const parsed = treeOf(unread);
  // Finding the content removes the title from the tree.
  const titleElement = titleElementOf(parsed.root);
  const { main, measures } = findContent(unread, parsed);
  const all = readSections(main, { url, measures, base: url });
  const [preamble, ...drafts] = all;
  const named = nameSections(drafts, main, measures);
  const markdown = markdownOf(all);
  const [opening, sections] = isSearchTool(html, markdown) ? ['', []] : [preamble?.comparable ?? '', named];

  const { title, fullTitle } = pageTitle(
    titleElement,
    named.map(({ heading, level }) => ({ text: heading, level })),
  );
  const preambleChecksum = fingerprintOf(opening);
  return {
    url,
    title,
    ...(fullTitle !== title && { fullTitle }),
    extractor: rules.extractor,
    checksum: pageChecksum(title, preambleChecksum, sections),
    preamble: preambleChecksum,
    preambleLines: lineMarksOf(opening),
    sections,
    markdown,
    ...(rules.only.length > 0 && parsed.chosen === undefined && { isUnmatched: true as const }),
  };
}

/**
 * A renamed id matters to readers, so names count, as far as they are the page's own. Suffixes that distinguish duplicates are left out, because they depend on
 * earlier versions of the page; see keep-anchors.ts.
 */
function pageChecksum(title: string, preamble: string, sections: readonly Section[]): string {
  const parts = sections.map(({ anchor, checksum }) => `${baseOf(anchor)} ${checksum}`);
  return fingerprintOf([title, preamble, ...parts].join('\n'));
}

interface Parent {
  readonly level: number;
  readonly slug: string;
  readonly anchor: string;
}

function nameSections(drafts: readonly SectionDraft[], main: HtmlElement, measures: Measures): Section[] {
  const names = new AnchorNames();
  const hasOneH1 = drafts.filter(({ level }) => level === 1).length === 1;
  const path: Parent[] = [];
  return drafts.map(({ heading, headingText, headingWords, headingComparable, level, comparable, markdown }) => {
    while ((path.at(-1)?.level ?? 0) >= level) path.pop();
    const parents = hasOneH1 ? path.filter((parent) => parent.level > 1) : path;
    const id = heading === undefined ? undefined : headingId(heading, headingText, main, measures);
    const slug = slugOf(headingWords);
    const base = id ?? [...parents.filter((parent) => parent.level > 1).map((parent) => parent.slug), slug].join('-');
    // A slug already contains its path, except for the h1.
    const parent = id === undefined ? parents.find((candidate) => candidate.level === 1) : parents.at(-1);
    const anchor = names.nameFor(base, parent?.anchor);
    names.take(anchor);
    path.push({ level, slug, anchor });

    const body = fingerprintOf(comparable);
    const title = `${level} ${headingComparable}`;
    const checksum = fingerprintOf(`${title}\n${body}`);
    const lines = lineMarksOf(title.replaceAll('\n', ' ')) + lineMarksOf(comparable);
    const kind = id === undefined ? { anchorIs: 'key' as const } : {};
    return { anchor, ...kind, checksum, body, lines, heading: headingText, level, markdown };
  });
}
