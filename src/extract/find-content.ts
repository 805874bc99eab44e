import { type ArticleData, articleDataOf } from './article-data.ts';
import { chooseMain } from './choose-main.ts';
import { dropBeyond } from './drop-beyond.ts';
import { dropNamed } from './drop-named.ts';
import { dropRepeats } from './drop-repeats.ts';
import { dropTrail } from './drop-trail.ts';
import type { HtmlElement } from './html-tree.ts';
import { labelPanels } from './label-panels.ts';
import type { Measures } from './measure.ts';
import { IN_ARTICLE, IN_OTHERS, narrowToText } from './narrow-article.ts';
import { type PageKind, pageKind } from './page-kind.ts';
import { type ParseOptions, parseHtml } from './parse-html.ts';
import { type PruneOptions, pruneAndMeasure } from './prune.ts';
import type { ReadingRules } from './rules/reading-rules.ts';
import { type RuledTree, ruledTree } from './rules/ruled-tree.ts';
import { trimThread } from './trim-thread.ts';

/** The content of a page, found in its tree. */
export interface Content {
  /** The tree that is left after everything but content is removed. */
  readonly root: HtmlElement;
  /** The element that contains the content. */
  readonly main: HtmlElement;
  readonly measures: Measures;
}

/** A page that has not been read yet. */
export interface UnreadPage {
  readonly html: string;
  readonly url: string;
  /** Which parts of the page are read. */
  readonly rules: ReadingRules;
}

/** The tree of a page after its rules are applied. */
export function treeOf({ html, rules }: UnreadPage, how?: ParseOptions): RuledTree {
  return ruledTree(parseHtml(html, how), rules);
}

/** All content of the page. If nothing is visible, the hidden content. `parsed` is pruned in place. */
export function findContent(page: UnreadPage, parsed: RuledTree): Content {
  if (parsed.chosen !== undefined) return findChosen(parsed, page.url);
  const shown = findMainAs('manual', parsed.root, page.url, {});
  return sizeOf(shown) === 0 ? findMainAs('manual', treeOf(page).root, page.url, { keepHidden: 'all' }) : shown;
}

/** A page that shows less than this may have its content elsewhere in the source. */
const SCANT_TEXT = 400;
/** Content found elsewhere must be this many times as long, … */
const PLENTY = 3;
/** … and at least this much. */
const MIN_ELSEWHERE = 600;

/**
 * The visible content, without what readers skip. If that is too short: the noscript content, streamed content that a script would insert, content without
 * filtering by name, and finally hidden content. `parsed` is pruned in place.
 */
export function findReading(page: UnreadPage, parsed: RuledTree): Content {
  const { html, url } = page;
  if (parsed.chosen !== undefined) return findChosen(parsed, url);
  const data = articleDataOf(html);
  const shown = findMain(parsed.root, url, data, {});
  const size = sizeOf(shown);
  if (size >= SCANT_TEXT) return shown;
  const enough = Math.max(size * PLENTY, MIN_ELSEWHERE);
  for (const { sign, withoutScripts, keepHidden } of ELSEWHERE) {
    if (!html.includes(sign)) continue;
    const found = findMain(treeOf(page, { withoutScripts }).root, url, data, { keepHidden });
    if (sizeOf(found) >= enough) return found;
  }
  const unnamed = findMainAs('manual', treeOf(page).root, url, {});
  if (sizeOf(unnamed) >= enough) return unnamed;
  const hidden = findMain(treeOf(page).root, url, data, { keepHidden: 'all' });
  return sizeOf(hidden) >= (size === 0 ? 1 : enough) ? hidden : shown;
}

/** The content that `only` selected: furniture in it is removed, without any further selection. */
function findChosen({ root, chosen }: RuledTree, url: string): Content {
  return { root, main: root, measures: pruneAndMeasure(root, url, { chosen }) };
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
