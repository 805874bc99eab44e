import { collapseSpace } from '../collapse-space.ts';
import { findContent } from '../find-content.ts';
import { BLOCKS, HEAD_ONLY, UNSEEN } from '../html-elements.ts';
import type { HtmlElement, HtmlNode } from '../html-tree.ts';
import { parseHtml } from '../parse-html.ts';
import type { ReadingRules } from '../rules/reading-rules.ts';
import { ruledTree } from '../rules/ruled-tree.ts';
import { writeSelector } from '../rules/write-selector.ts';

/** A part of a page that a rule can select. */
export interface PageBlock {
  /** The name of the element. */
  readonly name: string;
  /** The rule that selects it. Absent if no rule can. */
  readonly rule?: string;
  /** Its first words. */
  readonly words: string;
  /** Why it is not read: it belongs to the frame of the page (navigation, headers, controls), or a rule excludes it. */
  readonly leftOut?: 'frame' | 'rule';
  readonly blocks: readonly PageBlock[];
}

export interface PageBlocks {
  readonly blocks: readonly PageBlock[];
  /** The number of further blocks in the page: the innermost ones. */
  readonly more: number;
}

const MAX_BLOCKS = 200;
const MAX_WORDS = 90;
const MAX_NODES = 400;
/** Inside these elements, markup only styles words. */
const CLOSED = new Set(['pre', 'code', 'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'select', 'tr', 'dt']);
/** Timestamps and counters often use only these elements. */
const SMALL = new Set(['span', 'time', 'small', 'a']);

/** The blocks of a page before rules are applied, and which of them are read, outer blocks first. Any text is read as HTML; nothing is thrown. */
export function pageBlocks(html: string, url: string, rules: ReadingRules): PageBlocks {
  const root = parseHtml(html);
  const all: OpenBlock[] = [];
  collect(root, undefined, all);
  const chosen = outermost(all);
  for (const block of chosen) block.words = firstWords(block.element);

  const ruled = ruledTree(root, rules);
  const afterRules = reachable(ruled.root);
  const content = findContent({ html, url, rules }, ruled);
  // A page that hides all of its text is read from a separate tree.
  const read = content.root === root ? withAbove(content.main, reachable(content.main)) : afterRules;
  const finish = (block: OpenBlock): PageBlock => {
    const rule = writeSelector(block.element);
    const leftOut = !afterRules.has(block.element) ? 'rule' : !read.has(block.element) ? 'frame' : undefined;
    return {
      name: block.element.name,
      ...(rule !== undefined && { rule }),
      words: block.words,
      ...(leftOut !== undefined && { leftOut }),
      blocks: block.inside.filter((inner) => chosen.has(inner)).map(finish),
    };
  };
  const top = [...chosen].filter(({ above }) => above === undefined);
  return { blocks: top.map(finish), more: all.length - chosen.size };
}

interface OpenBlock {
  readonly element: HtmlElement;
  readonly above: OpenBlock | undefined;
  readonly inside: OpenBlock[];
  words: string;
}

/** Returns whether the element shows anything. Blocks that do are added to `all`, in page order. */
function collect(element: HtmlElement, above: OpenBlock | undefined, all: OpenBlock[]): boolean {
  let shows = element.name === 'img';
  for (const child of element.children) {
    if (typeof child === 'string') {
      shows ||= child.trim() !== '';
      continue;
    }
    if (child.name !== 'html' && HEAD_ONLY.has(child.name)) continue;
    const isOwn = isBlock(child);
    const block: OpenBlock | undefined = isOwn ? { element: child, above, inside: [], words: '' } : above;
    const at = all.length;
    if (isOwn && block !== undefined) all.push(block);
    const isShown = CLOSED.has(child.name) ? showsAnything(child) : collect(child, block, all);
    if (isShown && isOwn && block !== undefined) above?.inside.push(block);
    // It shows nothing, so nothing was added after it.
    if (!isShown) all.length = at;
    shows ||= isShown;
  }
  return shows;
}

/** What a person would point at: not a box without a name and text of its own, and not words within a sentence. */
function isBlock({ name, attributes, children }: HtmlElement): boolean {
  if (name === 'html' || name === 'body' || UNSEEN.has(name)) return false;
  const isNamed = attributes.has('id') || attributes.has('class');
  if (name === 'div') return isNamed || attributes.has('role') || children.some(isInk);
  if (name === 'time' || name.includes('-')) return true;
  return SMALL.has(name) ? isNamed && name !== 'a' : BLOCKS.has(name);
}

function isInk(node: HtmlNode): boolean {
  return typeof node === 'string' && node.trim() !== '';
}

function showsAnything(element: HtmlElement): boolean {
  return (
    element.name === 'img' ||
    element.children.some((child) => isInk(child) || (typeof child !== 'string' && showsAnything(child)))
  );
}

/** Level by level, so that the smallest parts of a large page are left out. */
function outermost(all: readonly OpenBlock[]): ReadonlySet<OpenBlock> {
  const chosen = new Set<OpenBlock>();
  let level = all.filter(({ above }) => above === undefined);
  while (level.length > 0 && chosen.size < MAX_BLOCKS) {
    for (const block of level.slice(0, MAX_BLOCKS - chosen.size)) chosen.add(block);
    level = level.flatMap(({ inside }) => inside);
  }
  return chosen;
}

function firstWords(element: HtmlElement): string {
  const waiting: HtmlNode[] = [element];
  let text = '';
  for (let nodes = 0; nodes < MAX_NODES && text.length < MAX_WORDS * 2; nodes += 1) {
    const node = waiting.pop();
    if (node === undefined) break;
    if (typeof node === 'string') text += ` ${node.slice(0, MAX_WORDS * 4).trim()}`;
    else if (!UNSEEN.has(node.name)) waiting.push(...node.children.slice(0, MAX_NODES).toReversed());
  }
  const line = collapseSpace(text).trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).trimEnd()}…` : line;
}

function reachable(element: HtmlElement, found = new Set<HtmlElement>()): Set<HtmlElement> {
  found.add(element);
  for (const child of element.children) if (typeof child !== 'string') reachable(child, found);
  return found;
}

function withAbove(main: HtmlElement, found: Set<HtmlElement>): ReadonlySet<HtmlElement> {
  for (let above = main.parent; above !== undefined; above = above.parent) found.add(above);
  return found;
}
