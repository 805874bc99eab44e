export type ColumnAlign = 'left' | 'center' | 'right';

/** One cell of the source, with its content already in Markdown. */
export interface TableCell {
  readonly text: string;
  readonly isHead: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly align: ColumnAlign | undefined;
}

export interface TableRow {
  readonly cells: readonly TableCell[];
  /** Whether it is in a `thead`. */
  readonly inHead: boolean;
}

/** The maximum span of a cell. Wider tables are not filled up. */
const MAX_SPREAD = 50;

/**
 * A table in GitHub's format. A cell that spans several columns or rows is written in the first of them and the others are empty, so that every cell is in its
 * own column. Undefined for an empty table.
 */
export function tableBlock(rows: readonly TableRow[]): string | undefined {
  const grid = spread(rows);
  const shown = grid.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [first] = shown;
  if (first === undefined) return undefined;
  const columns = shown.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isHeaded = isHeadRow(first.row, first.cells);
  const head = lineOf(isHeaded ? first.cells : [], columns, columns);
  const body = (isHeaded ? shown.slice(1) : shown).map(({ cells }) => lineOf(cells, columns, MAX_SPREAD));
  return [head, ruleOf(shown, columns), ...body].join('\n');
}

const RULES = { left: ':---', center: ':---:', right: '---:', none: '---' };

/** A column is aligned like its head, else like the first cell below. */
function ruleOf([first, second]: readonly GridRow[], columns: number): string {
  const rules = Array.from({ length: columns }, (_, at) => RULES[first?.aligns[at] ?? second?.aligns[at] ?? 'none']);
  return `| ${rules.join(' | ')} |`;
}

interface GridRow {
  readonly row: TableRow;
  readonly cells: readonly string[];
  readonly aligns: readonly (ColumnAlign | undefined)[];
}

function spread(rows: readonly TableRow[]): GridRow[] {
  /** By column: how many more rows a cell from above spans. */
  const reach: number[] = [];
  return rows.map((row) => {
    const cells: string[] = [];
    const aligns: (ColumnAlign | undefined)[] = [];
    const skip = () => {
      while ((reach[cells.length] ?? 0) > 0) {
        reach[cells.length] = (reach[cells.length] ?? 0) - 1;
        cells.push('');
      }
    };
    for (const { text, columns, rows: down, align } of row.cells) {
      skip();
      if (align !== undefined) aligns[cells.length] = align;
      const width = Math.min(columns, MAX_SPREAD);
      for (let column = 0; column < width; column += 1) {
        if (cells.length < MAX_SPREAD) reach[cells.length] = down - 1;
        cells.push(column === 0 ? text : '');
      }
    }
    skip();
    return { row, cells, aligns };
  });
}

/** Whether the first row names the columns: it is in a `thead`, or consists of head cells or bold cells. */
function isHeadRow(row: TableRow, texts: readonly string[]): boolean {
  if (row.inHead) return true;
  if (row.cells.every(({ text, isHead }) => isHead || text === '') && row.cells.some(({ isHead }) => isHead))
    return true;
  return texts.length > 1 && texts.every((text) => text === '' || /^\*\*[^*]+\*\*$/.test(text));
}

function lineOf(cells: readonly string[], columns: number, fill: number): string {
  const filled = columns <= fill ? Array.from({ length: columns }, (_, column) => cells[column] ?? '') : cells;
  return `| ${filled.map(escapePipes).join(' | ')} |`;
}

/** A pipe ends a cell even inside code. The backslash before it must not itself be escaped. */
function escapePipes(cell: string): string {
  return cell.includes('|')
    ? cell.replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '\\' : '\\\\'}|`)
    : cell;
}
