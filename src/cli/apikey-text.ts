import type { KeyUsageView, KeyView, UsageView } from '../doors/key-place.ts';

const SHOWN_HASH = 12;

/** One line a key, in columns. */
export function keyTable(keys: readonly KeyView[]): string[] {
  return inColumns([['KEY', 'HASH', 'TIER', 'CREATED', 'STATE', 'LABEL'], ...keys.map(cellsOf)]);
}

/** One line a key: what was asked with it in the last 90 days. */
export function keyUsageTable(keys: readonly KeyUsageView[]): string[] {
  const rows = keys.map(({ prefix, hash, tier, total, last_used_at: last, label = '' }) => [
    `${prefix}…`,
    hash.slice(0, SHOWN_HASH),
    tier,
    ...figuresOf(total),
    last === undefined ? 'never' : momentOf(last),
    oneLine(label),
  ]);
  return inColumns([['KEY', 'HASH', 'TIER', ...FIGURES, 'LAST USED', 'LABEL'], ...rows]);
}

/** One line a day, newest first, and the sum. */
export function usageTable({ prefix, tier, total, days, last_used_at: last }: UsageView): string[] {
  if (days.length === 0) return [`${prefix}… (${tier}) was not used in the last 90 days.`];
  const rows = days.toReversed().map(({ date, ...figures }) => [date, ...figuresOf(figures)]);
  return [
    `${prefix}… (${tier}), last used ${momentOf(last ?? '')}`,
    ...inColumns([['DAY', ...FIGURES], ...rows, ['total', ...figuresOf(total)]]),
  ];
}

const FIGURES = ['REQUESTS', 'BYTES', 'REFUSED'];

function figuresOf({ requests, bytes, refused }: UsageView['total']): string[] {
  return [requests, bytes, refused].map(String);
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function momentOf(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

function cellsOf({ prefix, hash, tier, created_at, revoked_for, label = '' }: KeyView): string[] {
  const state = revoked_for ?? 'counts';
  return [`${prefix}…`, hash.slice(0, SHOWN_HASH), tier, momentOf(created_at), state, oneLine(label)];
}

/** A label may have several lines; here it has one. */
function oneLine(label: string): string {
  return label.replace(/\s+/g, ' ');
}
