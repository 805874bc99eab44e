import { ELEMENT_READERS } from './element-readers.ts';
import { findContent, treeOf } from './find-content.ts';
import { BLOCKS } from './html-elements.ts';
import { attribute, type HtmlElement, type HtmlNode, isHeading } from './html-tree.ts';
import { markedOf } from './line-marks.ts';
import { NO_RULES, type ReadingRules } from './rules/reading-rules.ts';
import { SectionReader } from './section-reader.ts';

/** A line of a page and the element it belongs to. */
export interface OwnedLine {
  /** The named element that contains it, such as `div.related`; `ul` for an item of a list without a name. Empty if no element around it has a name. */
  readonly owner: string;
  readonly text: string;
}

/** The lines of a page in the order of their marks: preamble first, then the heading and the lines of each section. */
export function ownedLines(html: string, url: string, rules: ReadingRules = NO_RULES): readonly OwnedLine[] {
  const unread = { html, url, rules };
  const { main, measures } = findContent(unread, treeOf(unread));
  const reader = new OwnerReader(main, { url, measures, base: url }, ELEMENT_READERS);
  reader.read(main);
  const drafts = reader.finish();
  return reader.sections.flatMap(({ heading, elements }, at) => {
    const { headingText = '', comparable = '' } = drafts[at] ?? {};
    const texts = comparable.split('\n');
    const lines = elements.map((element, line) => ({ owner: nameOf(element, main), text: texts[line] ?? '' }));
    const marked = markedOf(lines, ([first = { owner: '', text: '' }]) => first);
    return heading === undefined ? marked : [{ owner: nameOf(heading, main), text: headingText }, ...marked];
  });
}

interface OwnedSection {
  readonly heading: HtmlElement | undefined;
  /** The innermost element in which each line begins. */
  readonly elements: HtmlElement[];
}

class OwnerReader extends SectionReader {
  readonly sections: OwnedSection[] = [{ heading: undefined, elements: [] }];

  override visit(node: HtmlNode): void {
    super.visit(node);
    if (typeof node !== 'string' && !this.inHeading) this.#own(node);
  }

  override startSection(heading: HtmlElement): void {
    const before = this.comparable;
    super.startSection(heading);
    if (this.comparable !== before) this.sections.push({ heading, elements: [] });
  }

  /** The content of an element is visited before the element itself: lines without an owner by then belong to the element. */
  #own(element: HtmlElement): void {
    const elements = this.sections.at(-1)?.elements ?? [];
    while (elements.length < this.comparable.lines) elements.push(element);
  }
}

/** Elements that form the page, whatever their names. */
const PAGE_PARTS: ReadonlySet<string> = new Set(['html', 'body', 'main', 'article']);
/** Elements that are separate from the text around them, even without a name. */
const APART: ReadonlySet<string> = new Set(['aside', 'footer', 'header', 'nav', 'form']);
const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table']);
const MAX_NAME = 80;

function nameOf(owner: HtmlElement, root: HtmlElement): string {
  let list = '';
  for (
    let element: HtmlElement | undefined = owner;
    element !== undefined && element !== root;
    element = element.parent
  ) {
    if (!BLOCKS.has(element.name) || PAGE_PARTS.has(element.name) || isHeading(element)) continue;
    const words = wordsOf(element);
    if (words.length > 0) return `${element.name}.${words.join('.')}`.slice(0, MAX_NAME);
    if (APART.has(element.name)) return element.name;
    if (LISTS.has(element.name)) list = element.name;
  }
  return list;
}

/** Words of the class and the id that are the same at each look. Words with digits may be generated anew each time. */
function wordsOf(element: HtmlElement): readonly string[] {
  if (element.attributes.size === 0) return [];
  // The id of a section names its content.
  const id = element.name === 'section' ? '' : (attribute(element, 'id') ?? '');
  const given = `${attribute(element, 'class') ?? ''} ${id}`;
  return given
    .split(/\s+/)
    .filter((word) => /^[a-z][a-z_-]{1,40}$/i.test(word))
    .slice(0, MAX_WORDS);
}

const MAX_WORDS = 3;
