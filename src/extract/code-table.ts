import { isLineNumbers } from './code-text.ts';
import { TABLE_PARTS } from './html-elements.ts';
import { attribute, elementText, type HtmlElement, type HtmlNode } from './html-tree.ts';

/** A table that shows code beside its line numbers: the code alone, and what is above it. */
export interface CodeTable {
  /** Cells to read, in order: the name of a file, the code. */
  readonly cells: readonly HtmlElement[];
  /** The code, if each of its lines is a row. */
  readonly lines: HtmlElement | undefined;
}

/** Undefined for any other table. The content of the cells decides, not their class names. */
export function codeTableOf(table: HtmlElement): CodeTable | undefined {
  const rows = rowsOf(table);
  const lines = linesIn(rows);
  if (lines !== undefined) return { cells: [], lines: { ...table, name: 'pre', children: lines } };
  return holdsOnlyCode(table)
    ? { cells: rows.flatMap((row) => withoutNumbers(cellsOf(row))), lines: undefined }
    : undefined;
}

const ROW_GROUPS = new Set(['thead', 'tbody', 'tfoot']);

function rowsOf(table: HtmlElement): HtmlElement[] {
  return elementsIn(table).flatMap((child) => (ROW_GROUPS.has(child.name) ? elementsIn(child) : [child]));
}

function cellsOf(row: HtmlElement): HtmlElement[] {
  return row.name === 'tr' ? elementsIn(row) : [row];
}

function elementsIn(element: HtmlElement): HtmlElement[] {
  return element.children.filter((child) => typeof child !== 'string');
}

/** One line of code per row, as sites for repositories write them: the line number is a cell that can be linked. */
function linesIn(rows: readonly HtmlElement[]): HtmlElement[] | undefined {
  const lines: HtmlElement[] = [];
  for (const row of rows) {
    const [number, code, ...others] = cellsOf(row);
    if (number === undefined || code === undefined || others.length > 0 || !isLineNumber(number)) return undefined;
    const isEmpty = code.children.every((child) => child === '');
    lines.push({ ...code, name: 'div', children: isEmpty ? ['\n'] : code.children });
  }
  return lines.length === 0 ? undefined : lines;
}

function isLineNumber(cell: HtmlElement): boolean {
  const isNamed = cell.attributes.has('data-line-number') || /^(?:.*-)?L\d+$/.test(attribute(cell, 'id') ?? '');
  return isNamed && cell.children.length <= 3 && /^\s*\d*\s*$/.test(elementText(cell));
}

/** Contains nothing but `pre`, possibly below the name of a file. */
function holdsOnlyCode(table: HtmlElement): boolean {
  let blocks = 0;
  const isCode = (node: HtmlNode): boolean => {
    if (typeof node === 'string') return node.trim() === '';
    if (node.name === 'pre') blocks += 1;
    if (node.name === 'pre' || isFileName(node)) return true;
    return (TABLE_PARTS.has(node.name) || node.name === 'div') && node.children.every(isCode);
  };
  return table.children.every(isCode) && blocks > 0;
}

function isFileName(cell: HtmlElement): boolean {
  return cell.name === 'th' && attribute(cell, 'colspan') === '2';
}

/** Removes the first of several cells if it contains only consecutive numbers, or a single number. */
function withoutNumbers(cells: readonly HtmlElement[]): readonly HtmlElement[] {
  const [first, ...others] = cells;
  if (first === undefined || others.length === 0) return cells;
  const text = elementText(first, ' ').trim();
  return /^\d{1,6}$/.test(text) || isLineNumbers(text) ? others : cells;
}
