import { findRecords } from './find-records.ts';
import { type HtmlElement, type HtmlNode, isHeading } from './html-tree.ts';
import { collapsed } from './judge-element.ts';
import type { Measures } from './measure.ts';

/** A longer text is written by a person, however often it occurs. */
const MAX_LABEL = 40;
const MIN_POSTS = 3;
/** What this share of the posts says comes from the forum. */
const LABEL_SHARE = 0.6;
/** Posts contain at least this share of the text. A list within one of them does not. */
const THREAD_SHARE = 0.35;
const MIN_PROSE = 80;

/**
 * Removes from a thread what all its posts say (buttons, counters, ranks, numbers) and what is around them without a sentence: breadcrumbs, tools, the footer
 * of the board. The first post may be separate from the answers.
 */
export function trimThread(main: HtmlElement, measures: Measures): void {
  const posts = findRecords(main, measures);
  const size = posts.reduce((sum, post) => sum + (measures.get(post)?.text ?? 0), 0);
  if (posts.length < MIN_POSTS || size < (measures.get(main)?.text ?? 0) * THREAD_SHARE) return;
  dropAround(main, posts[0]?.parent, measures);
  const labels = labelsOf(posts, measures);
  if (labels.size > 0) for (const post of posts) dropLabels(post, measures, labels);
}

function dropAround(main: HtmlElement, thread: HtmlElement | undefined, measures: Measures): void {
  for (let here = thread; here !== undefined && here !== main; here = here.parent) {
    const inner = here;
    if (here.parent !== undefined)
      keepChildren(here.parent, (child) => child === inner || isTitled(child, measures) || holdsProse(child, measures));
  }
}

function isTitled(element: HtmlElement, measures: Measures): boolean {
  return measures.get(element)?.hasH1 === true;
}

/** A sentence outside links. */
function holdsProse(element: HtmlElement, measures: Measures): boolean {
  const measure = measures.get(element);
  if (element.name === 'a' || measure === undefined || measure.text - measure.linkText < MIN_PROSE) return false;
  if (element.name === 'p' || element.name === 'li') return true;
  return element.children.some((child) =>
    typeof child === 'string' ? child.trim().length >= MIN_PROSE : holdsProse(child, measures),
  );
}

function labelsOf(posts: readonly HtmlElement[], measures: Measures): ReadonlySet<string> {
  const times = new Map<string, number>();
  for (const post of posts) {
    const said = new Set<string>();
    collectLabels(post, measures, said);
    for (const label of said) times.set(label, (times.get(label) ?? 0) + 1);
  }
  const least = Math.max(MIN_POSTS, posts.length * LABEL_SHARE);
  return new Set([...times].filter(([, count]) => count >= least).map(([label]) => label));
}

function collectLabels(element: HtmlElement, measures: Measures, said: Set<string>): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    const label = labelOf(child, measures);
    if (label !== undefined) said.add(label);
    collectLabels(child, measures, said);
  }
}

/** A short text with its number replaced: "#3" and "#4" are one label. A date or a price is not a label. */
function labelOf(element: HtmlElement, measures: Measures): string | undefined {
  const measure = measures.get(element);
  if (measure === undefined || measure.text === 0 || measure.text > MAX_LABEL || measure.images > 0) return undefined;
  if (isHeading(element)) return undefined;
  const text = collapsed(element);
  return /[$€£¥₹]|\d\D+\d/.test(text) ? undefined : text.toLowerCase().replace(/\d+/g, '0');
}

function dropLabels(element: HtmlElement, measures: Measures, labels: ReadonlySet<string>): void {
  keepChildren(element, (child) => {
    const label = labelOf(child, measures);
    if (label !== undefined && labels.has(label)) return false;
    dropLabels(child, measures, labels);
    return true;
  });
}

function keepChildren({ children }: HtmlElement, isKept: (child: HtmlElement) => boolean): void {
  const kept = children.filter((child: HtmlNode) => typeof child === 'string' || isKept(child));
  if (kept.length === children.length) return;
  children.length = 0;
  for (const child of kept) children.push(child);
}
