import { callMarker, readBlockCode } from './block-readers.ts';
import { kindIn, titleWords } from './call-title.ts';
import { type CodeTable, codeTableOf } from './code-table.ts';
import { codeTextOf } from './code-text.ts';
import { TABLE_PARTS } from './html-elements.ts';
import { htmlRow } from './html-table.ts';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree.ts';
import { type ColumnAlign, type TableCell, type TableRow, tableBlock } from './markdown-table.ts';
import type { SectionReader } from './section-reader.ts';

/** Rows and cells are compared in any table. How it is written depends on the content of its cells. */
export function readTable(reader: SectionReader, table: HtmlElement): void {
  if (isLayout(reader, table)) {
    reader.container(table);
    return;
  }
  const code = codeTableOf(table);
  if (code !== undefined) {
    readCode(reader, code);
    return;
  }
  reader.comparable.breakLine();
  reader.markdown.endLine();
  if (!readCallRow(reader, table)) readByForm(reader, table);
  reader.markdown.endLine();
  reader.comparable.breakLine();
}

function readByForm(reader: SectionReader, table: HtmlElement): void {
  const form = formOf(reader, table);
  const rows: TableRow[] = [];
  const inHtml: string[] = [];
  readRows(reader, table, (nodes, inHead) => {
    if (form === 'blocks') readCells(reader, nodes);
    else if (form === 'html') {
      reader.compareOnly(() => readCells(reader, nodes));
      inHtml.push(htmlRow(nodes, reader.base));
    } else rows.push({ inHead, cells: cellsOf(reader, nodes) });
  });
  if (form === 'html') reader.markdown.block(['<table>', ...inHtml, '</table>'].join('\n'));
  else if (form === 'line')
    reader.markdown.inline(rows.flatMap(({ cells }) => cells.map(({ text }) => text)).join(' '));
  else {
    const written = tableBlock(rows);
    if (written !== undefined) reader.markdown.block(written);
  }
}

/** A note or warning as Asciidoctor writes it: a row with its title and its words. */
function readCallRow(reader: SectionReader, table: HtmlElement): boolean {
  const cells: HtmlElement[] = [];
  const [title, words] = isSingleRow(table, cells) && cells.length === 2 ? cells : [];
  const kind = title === undefined ? undefined : kindIn(reader, title);
  if (title === undefined || words === undefined || kind === undefined) return false;
  reader.comparable.cell();
  const text = reader.part('line', () => reader.read(title));
  reader.comparable.cell();
  reader.markdown.open('> ', '> ');
  reader.markdown.lead(callMarker(kind, titleWords(title), text));
  reader.read(words);
  reader.markdown.close();
  return true;
}

/** A layout table, not a data table. */
function isLayout(reader: SectionReader, table: HtmlElement): boolean {
  const measure = reader.measures.get(table);
  return measure === undefined || measure.firstHeading !== undefined || measure.tables > 1;
}

/** Code without its line numbers. */
function readCode(reader: SectionReader, { cells, lines }: CodeTable): void {
  if (lines !== undefined) readBlockCode(reader, lines);
  for (const cell of cells) reader.container(cell);
}

type TableForm = 'table' | 'html' | 'line' | 'blocks';

/** A single row without a head is not a table. Cells with lists or multi-line code do not fit into a Markdown table. */
function formOf(reader: SectionReader, table: HtmlElement): TableForm {
  const cells: HtmlElement[] = [];
  if (!isSingleRow(table, cells)) return holdsBlocks(table) ? 'html' : 'table';
  const isPlain = cells.every((cell) => reader.measures.get(cell)?.blocks === 1);
  return isPlain && cells.length > 1 ? 'line' : 'blocks';
}

function holdsBlocks(element: HtmlElement): boolean {
  return element.children.some((child) => {
    if (typeof child === 'string') return false;
    if (child.name === 'pre') return codeTextOf(child).includes('\n');
    return child.name === 'ul' || child.name === 'ol' || holdsBlocks(child);
  });
}

/** Adds the cells to `cells` if there is only one row. */
function isSingleRow(table: HtmlElement, cells: HtmlElement[]): boolean {
  let rows = 0;
  const visit = (element: HtmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string' || rows > 1) continue;
      if (ROW_GROUPS.has(child.name)) visit(child);
      else rows += child.name === 'tr' ? 1 : 2;
      if (child.name !== 'tr' || rows > 1) continue;
      for (const cell of child.children) if (typeof cell !== 'string') cells.push(cell);
    }
  };
  visit(table);
  return rows === 1 && cells.every(({ name }) => name === 'td');
}

const ROW_GROUPS = new Set(['thead', 'tbody', 'tfoot']);

type TakeRow = (nodes: readonly HtmlNode[], inHead: boolean) => void;

function readRows(reader: SectionReader, element: HtmlElement, take: TakeRow): void {
  for (const child of element.children) {
    if (isBlank(reader, child)) continue;
    if (typeof child !== 'string' && ROW_GROUPS.has(child.name)) readRows(reader, child, take);
    else if (typeof child !== 'string' && child.name === 'caption') reader.paragraph(child);
    else {
      reader.comparable.breakLine();
      take(typeof child !== 'string' && child.name === 'tr' ? child.children : [child], element.name === 'thead');
    }
  }
}

/** Rows and cells count even if they are empty. Content outside them counts like them. */
function isBlank(reader: SectionReader, node: HtmlNode): boolean {
  if (typeof node === 'string') return node.trim() === '';
  return !TABLE_PARTS.has(node.name) && reader.measures.get(node)?.isEmpty() === true;
}

function readCells(reader: SectionReader, nodes: readonly HtmlNode[]): void {
  for (const node of nodes) {
    if (isBlank(reader, node)) continue;
    reader.comparable.cell();
    if (typeof node === 'string') reader.text(node);
    else reader.container(node);
  }
}

function cellsOf(reader: SectionReader, nodes: readonly HtmlNode[]): TableCell[] {
  const cells: TableCell[] = [];
  for (const node of nodes) {
    if (isBlank(reader, node)) continue;
    reader.comparable.cell();
    const text = reader.part('cell', () => (typeof node === 'string' ? reader.text(node) : reader.read(node)));
    cells.push({
      text,
      isHead: typeof node !== 'string' && node.name === 'th',
      columns: spanOf(node, 'colspan', 1),
      rows: spanOf(node, 'rowspan', Number.MAX_SAFE_INTEGER),
      align: typeof node === 'string' ? undefined : alignOf(node),
    });
  }
  return cells;
}

const ALIGN_STYLE = /text-align\s*:\s*(left|center|right)/i;
const ALIGN_NAME = /(?:^|[\s-])(?:h?align|text)-(center|right)(?:\s|$)/;

/** The alignment of a cell's column. Used for Markdown only, never for comparison. */
function alignOf(cell: HtmlElement): ColumnAlign | undefined {
  if (cell.attributes.size === 0) return undefined;
  const said =
    ALIGN_STYLE.exec(attribute(cell, 'style') ?? '')?.[1] ??
    attribute(cell, 'align') ??
    ALIGN_NAME.exec(attribute(cell, 'class') ?? '')?.[1];
  const align = said?.toLowerCase();
  return align === 'left' || align === 'center' || align === 'right' ? align : undefined;
}

/** `zero` replaces 0: a cell may span to the end of its table. */
function spanOf(node: HtmlNode, name: string, zero: number): number {
  const text = typeof node === 'string' ? undefined : attribute(node, name)?.trim();
  if (text === undefined || !/^\d{1,6}$/.test(text)) return 1;
  return Number(text) === 0 ? zero : Number(text);
}
