import { writeNote } from './block-readers.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { listNumbersOf, writtenNumber } from './list-numbers.ts';
import type { OpenList, SectionReader } from './section-reader.ts';

const BULLETS = ['-', '*'] as const;
const NUMBER_SIGNS = ['.', ')'] as const;
const MAX_NUMBER = 999_999_999;

export function readListElement(reader: SectionReader, element: HtmlElement): void {
  const { markdown, lists } = reader;
  markdown.endLine();
  // A list between the items of another list belongs to the item before it.
  const parent = isList(element.parent) ? lists.at(-1) : undefined;
  if (parent !== undefined) markdown.open(parent.indent, parent.indent, true);
  const list = openList(reader, element);
  lists.push(list);
  reader.paragraph(element);
  lists.pop();
  // A heading in it may have begun another section, and with it another Markdown writer.
  reader.markdown.endList(list.sign);
  if (parent !== undefined) reader.markdown.close();
}

function openList(reader: SectionReader, element: HtmlElement): OpenList {
  if (element.name !== 'ol')
    return {
      sign: reader.markdown.listSign(BULLETS),
      next: undefined,
      step: 1,
      items: 0,
      numbers: undefined,
      indent: '  ',
    };
  const isReversed = element.attributes.has('reversed');
  const usual = isReversed ? element.children.filter(isItem).length : 1;
  const start = numberIn(element, 'start');
  if (isReversed) reader.comparable.editSign('down');
  if (start !== undefined && start !== usual) reader.comparable.editSign(`from ${start}`);
  const numbers = listNumbersOf(element);
  return {
    sign: reader.markdown.listSign(numbers === undefined ? NUMBER_SIGNS : BULLETS),
    next: start ?? usual,
    step: isReversed ? -1 : 1,
    items: 0,
    numbers,
    indent: '   ',
  };
}

export function readItem(reader: SectionReader, element: HtmlElement): void {
  const label = reader.footnotes.noteIn(element);
  const list = reader.lists.at(-1);
  if (label !== undefined && writeNote(reader, element, label)) return;
  reader.markdown.endLine();
  const value = list?.next === undefined ? undefined : numberIn(element, 'value');
  if (list !== undefined && value !== undefined && value !== list.next) {
    list.next = value;
    reader.comparable.editSign(`number ${value}`);
  }
  const number = list?.next;
  const isBullet = number === undefined || list?.numbers !== undefined;
  const bullet = isBullet ? `${list?.sign ?? '-'} ` : `${Math.min(Math.max(number, 0), MAX_NUMBER)}${list?.sign} `;
  const letter = number === undefined || list?.numbers === undefined ? '' : `${writtenNumber(list.numbers, number)}. `;
  const isNested = reader.lists.length > 1;
  // A number other than 1 does not end a paragraph.
  const isTight = list !== undefined && (list.items > 0 || (isNested && (isBullet || number === 1)));
  if (list !== undefined) {
    list.items += 1;
    list.indent = ' '.repeat(bullet.length);
    if (list.next !== undefined) list.next += list.step;
  }
  reader.prefixed(element, `${bullet}${letter}${boxOf(element)}`, ' '.repeat(bullet.length), isTight);
}

/** `[x] ` before the words of a task. */
function boxOf(item: HtmlElement): string {
  let node: HtmlNode | undefined = item;
  for (let step = 0; step < 4 && node !== undefined && typeof node !== 'string'; step += 1) {
    if (isCheckbox(node)) return node.attributes.has('checked') ? '[x] ' : '[ ] ';
    node = node.children.find((child) => typeof child !== 'string' || child.trim() !== '');
  }
  return '';
}

export function isCheckbox(element: HtmlElement): boolean {
  return element.name === 'input' && attribute(element, 'type')?.toLowerCase() === 'checkbox';
}

function isList(element: HtmlElement | undefined): boolean {
  return element?.name === 'ul' || element?.name === 'ol';
}

function isItem(node: HtmlNode): boolean {
  return typeof node !== 'string' && node.name === 'li';
}

function numberIn(element: HtmlElement, name: string): number | undefined {
  const text = attribute(element, name)?.trim();
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * Terms and definitions. Short definitions are written as `Term` and `: meaning`, which most dialects know. Definitions with blocks, as in reference manuals,
 * are written as list items, because those nest in every dialect.
 */
export function readDefinitions(reader: SectionReader, element: HtmlElement): void {
  reader.markdown.endLine();
  const sign = holdsBlocks(element) ? BULLETS[0] : ':';
  reader.lists.push({ sign, next: undefined, step: 1, items: 0, numbers: undefined, indent: '  ' });
  reader.container(element);
  reader.lists.pop();
  if (sign !== ':') reader.markdown.endList(sign);
}

export function readTerm(reader: SectionReader, element: HtmlElement): void {
  const label = reader.footnotes.noteIn(element);
  if (label !== undefined) {
    reader.nextNote = label;
    reader.compareOnly(() => reader.paragraph(element));
    return;
  }
  const list = reader.lists.at(-1);
  if (list === undefined || list.sign === ':' || reader.holdsHeading(element)) reader.paragraph(element);
  else reader.prefixed(element, `${list.sign} `, '  ');
}

export function readDefinition(reader: SectionReader, element: HtmlElement): void {
  const { nextNote: label } = reader;
  reader.nextNote = undefined;
  if (label !== undefined && writeNote(reader, element, label)) return;
  const isItem = (reader.lists.at(-1)?.sign ?? ':') !== ':';
  if (isItem) reader.prefixed(element, '  ', '  ');
  else reader.prefixed(element, ': ', '  ', true);
}

const STRUCTURE = new Set([
  'dl',
  'ul',
  'ol',
  'pre',
  'table',
  'blockquote',
  'details',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

/** Whether any part has more than one paragraph. Stops at the first, so nested lists are visited once. */
function holdsBlocks(element: HtmlElement): boolean {
  let paragraphs = 0;
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (STRUCTURE.has(child.name)) return true;
    if (child.name === 'p') paragraphs += 1;
    if (paragraphs > 1 || holdsBlocks(child)) return true;
  }
  return false;
}
