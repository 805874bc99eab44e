import type { KeyView } from '../doors/key-place.ts';

const SHOWN_HASH = 12;

/** One line a key, in columns. */
export function keyTable(keys: readonly KeyView[]): string[] {
  const rows = [['KEY', 'HASH', 'TIER', 'CREATED', 'STATE', 'LABEL'], ...keys.map(cellsOf)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A label may have lines of its own; here it has one. */
function cellsOf({ prefix, hash, tier, created_at, revoked_for, label = '' }: KeyView): string[] {
  const created = created_at.replace(/\.\d+Z$/, 'Z');
  const state = revoked_for ?? 'counts';
  return [`${prefix}…`, hash.slice(0, SHOWN_HASH), tier, created, state, label.replace(/\s+/g, ' ')];
}
