import type { Page, Section } from '../model/page.ts';
import { AnchorNames, baseOf } from './anchor-names.ts';
import { type ArticleData, articleDataOf } from './article-data.ts';
import { chooseMain } from './choose-main.ts';
import { dropBeyond } from './drop-beyond.ts';
import { dropNamed } from './drop-named.ts';
import { dropRepeats } from './drop-repeats.ts';
import { dropTrail } from './drop-trail.ts';
import { fingerprintOf } from './fingerprint.ts';
import { headingId } from './heading-anchor.ts';
import type { HtmlElement } from './html-tree.ts';
import { labelPanels } from './label-panels.ts';
import { lineMarksOf } from './line-marks.ts';
import type { Measures } from './measure.ts';
import { IN_ARTICLE, IN_OTHERS, narrowToText } from './narrow-article.ts';
import { type PageKind, pageKind } from './page-kind.ts';
import { pageTitle, titleElementOf } from './page-title.ts';
import { type ParseOptions, parseHtml } from './parse-html.ts';
import { type PruneOptions, pruneAndMeasure } from './prune.ts';
import { readSections } from './read-sections.ts';
import { NO_RULES, type ReadingRules } from './rules/reading-rules.ts';
import { type RuledTree, ruledTree } from './rules/ruled-tree.ts';
import { isSearchTool } from './search-tool.ts';
import type { SectionDraft } from './section-reader.ts';
import { slugOf } from './slug.ts';
import { trimThread } from './trim-thread.ts';

/**
 * What a page says, section by section.
 *
 * Any text is read as HTML; nothing is thrown. The same content gives the same Page, whatever the theme around it.
 */
export function extractPage(html: string, url: string, rules: ReadingRules = NO_RULES): Page {
  return extractContent(html, url, { rules }).page;
}

export interface ExtractedContent {
  readonly page: Page;
  /** The tree that is left once everything but content is taken out. */
  readonly root: HtmlElement;
  /** The elements behind the page's sections, in order. */
  readonly headings: readonly SectionHeading[];
}

export interface SectionHeading {
  readonly element: HtmlElement;
  readonly text: string;
  readonly level: number;
}

interface ExtractOptions {
  /** Which parts of the page are read. Default: all. */
  readonly rules?: ReadingRules;
  /** The tree of `html`, by those rules, where there is one already. It is pruned in place. */
  readonly parsed?: RuledTree;
  /** What the Markdown's links are resolved against: the page's `<base>`. Default: its URL. */
  readonly base?: string;
  /**
   * Leave out what readers pass over, by what the page is and how its author calls things. Default: only what is
   * furniture by its form, so that no edit goes unseen and no renamed class is news.
   */
  readonly forReading?: boolean;
  /** Reads the sections in another way, and gives the same ones. */
  readonly readSections?: typeof readSections;
}

/** A page together with the parts of its tree that it was read from. */
export function extractContent(html: string, url: string, options: ExtractOptions = {}): ExtractedContent {
  const { rules = NO_RULES } = options;
  const find = options.forReading ? findReading : findAll;
  const parse = (how?: ParseOptions) => ruledTree(parseHtml(html, how), rules);
  const parsed = options.parsed ?? parse();
  // Finding the content takes it out.
  const titleElement = titleElementOf(parsed.root);
  const { root, main, measures } =
    parsed.chosen === undefined ? find({ html, url, parse }, parsed.root) : findChosen(parsed, url);
  const read = options.readSections ?? readSections;
  const [preamble, ...drafts] = read(main, { url, measures, base: options.base ?? url });
  const named = nameSections(drafts, main, measures);
  const markdown = [preamble, ...named].flatMap((part) => part?.markdown || []).join('\n\n');
  const isTool = !options.forReading && isSearchTool(html, markdown);
  const [opening, sections] = isTool ? ['', []] : [preamble?.comparable ?? '', named];

  const { title, fullTitle } = pageTitle(
    titleElement,
    named.map(({ heading, level }) => ({ text: heading, level })),
  );
  const preambleChecksum = fingerprintOf(opening);
  const page = {
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
  const headings = drafts.flatMap(({ heading, headingText, level }) =>
    heading === undefined ? [] : [{ element: heading, text: headingText, level }],
  );
  return { page, root, headings };
}

/**
 * A renamed id is news to readers, so names count: as far as they are the page's own. What tells duplicates apart is left out,
 * because it depends on what the page said before; see keep-anchors.ts.
 */
function pageChecksum(title: string, preamble: string, sections: readonly Section[]): string {
  const parts = sections.map(({ anchor, checksum }) => `${baseOf(anchor)} ${checksum}`);
  return fingerprintOf([title, preamble, ...parts].join('\n'));
}

interface Content {
  readonly root: HtmlElement;
  readonly main: HtmlElement;
  readonly measures: Measures;
}

/** A page that shows less than this may have its content elsewhere in the source. */
const SCANT_TEXT = 400;
/** What is found elsewhere must be this many times as much, … */
const PLENTY = 3;
/** … and at least this much. */
const MIN_ELSEWHERE = 600;

interface Unread {
  readonly html: string;
  readonly url: string;
  /** The tree once more, for another look. */
  readonly parse: (how?: ParseOptions) => RuledTree;
}

/** What `only` chose: furniture in it is left out, and nothing else is weighed. */
function findChosen({ root, chosen }: RuledTree, url: string): Content {
  return { root, main: root, measures: pruneAndMeasure(root, url, { chosen }) };
}

/** All that the page says. Where nothing is shown, what is hidden. */
function findAll({ url, parse }: Unread, parsed: HtmlElement): Content {
  const shown = findMainAs('manual', parsed, url, {});
  return sizeOf(shown) === 0 ? findMainAs('manual', parse().root, url, { keepHidden: 'all' }) : shown;
}

/**
 * What is shown; where that is scant, what is shown to those without scripts, what a script would put in its place, what
 * goes by its names, and at last what the page hides.
 */
function findReading({ html, url, parse }: Unread, parsed: HtmlElement): Content {
  const data = articleDataOf(html);
  const shown = findMain(parsed, url, data, {});
  const size = sizeOf(shown);
  if (size >= SCANT_TEXT) return shown;
  const enough = Math.max(size * PLENTY, MIN_ELSEWHERE);
  for (const { sign, withoutScripts, keepHidden } of ELSEWHERE) {
    if (!html.includes(sign)) continue;
    const found = findMain(parse({ withoutScripts }).root, url, data, { keepHidden });
    if (sizeOf(found) >= enough) return found;
  }
  const unnamed = findMainAs('manual', parse().root, url, {});
  if (sizeOf(unnamed) >= enough) return unnamed;
  const hidden = findMain(parse().root, url, data, { keepHidden: 'all' });
  return sizeOf(hidden) >= (size === 0 ? 1 : enough) ? hidden : shown;
}

const ELSEWHERE = [
  { sign: '<noscript', withoutScripts: true, keepHidden: undefined },
  { sign: 'id="S:', withoutScripts: false, keepHidden: 'streamed' },
] as const;

function sizeOf({ main, measures }: Content): number {
  return measures.get(main)?.text ?? 0;
}

function findMain(root: HtmlElement, url: string, data: ArticleData, options: PruneOptions): Content {
  return findMainAs(pageKind(root, url, data.isArticle), root, url, { ...options, authors: data.authors });
}

function findMainAs(kind: PageKind, root: HtmlElement, url: string, options: PruneOptions): Content {
  const readNames = kind !== 'manual';
  const isArticle = kind === 'article';
  labelPanels(root);
  if (readNames) dropNamed(root, { isArticle });
  const measures = pruneAndMeasure(root, url, { ...options, readNames, isArticle });
  const chosen = chooseMain(root, measures, { wide: readNames });
  const main = readNames ? narrowToText(chosen, measures, isArticle ? IN_ARTICLE : IN_OTHERS) : chosen;
  dropTrail(main, measures);
  if (!readNames) dropBeyond(main, measures);
  if (kind === 'talk') trimThread(main, measures);
  if (kind === 'talk' || kind === 'other') dropRepeats(main, measures);
  return { root, main, measures };
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
    // A slug holds its path already, all but the h1.
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
