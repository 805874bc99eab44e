import type { SourceConfig } from '../doors/settings.ts';
import { placeText } from '../doors/source-guess.ts';
import type { SourceView } from '../doors/source-place.ts';

const NEVER = '-';

/** One line a source, in columns. */
export function sourceTable(sources: readonly SourceView[]): string[] {
  const head = ['ID', 'KIND', 'STATUS', 'LAST CHECK', 'NEXT CHECK', 'WHERE'];
  const rows = [head, ...sources.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cellsOf({ config, health, websub }: SourceView): string[] {
  const { notes = 0 } = health;
  const noted = notes === 0 ? '' : `, ${notes} ${notes === 1 ? 'note' : 'notes'}`;
  const pushed = websub?.state === 'active' ? ', pushed' : '';
  const status = health.pending === true ? 'new' : `${health.status}${pushed}${noted}`;
  const { last_check_at: last = NEVER, next_check_at: next = NEVER } = health;
  const way = health.read_by === undefined ? '' : ` (${health.read_by})`;
  return [
    config.id,
    `${config.kind}${way}`,
    status,
    timeText(last),
    timeText(next),
    `${placeText(config)}${ruleCount(config)}`,
  ];
}

/** How many rules say what of it is read; `--json` names them. */
function ruleCount({ ignore = [], only = [] }: SourceConfig): string {
  const count = ignore.length + only.length;
  return count === 0 ? '' : ` (${count} ${count === 1 ? 'rule' : 'rules'})`;
}

/** To the second, which is what a person compares. */
function timeText(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}
