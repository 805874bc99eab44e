import type { CatalogueStatements } from './catalogue-statements.ts';

interface OldChange {
  readonly seq: number;
  readonly page: number;
  readonly facts: number;
  readonly source: number;
}

/** How many changes are forgotten in one transaction. */
const FORGOTTEN_AT_ONCE = 100;
const ACTIONS = 4;
const ALL_SOURCES = 0;

/** Forgets some of the changes after `start`, up to `upTo`, as if they had never been added. Returns how far it came. Within a transaction. */
export function forgetChanges(
  sql: CatalogueStatements,
  { start, upTo }: { readonly start: number; readonly upTo: number },
): number {
  const old = sql.oldest.all(start, upTo, FORGOTTEN_AT_ONCE) as unknown as OldChange[];
  const end = old.length < FORGOTTEN_AT_ONCE ? upTo : (old.at(-1)?.seq ?? upTo);
  const pages = new Map<number, number>();
  for (const { seq, page, facts, source } of old) {
    pages.set(page, (pages.get(page) ?? 0) + 1);
    discount(sql, { day: dayOfOldest(sql, seq), facts, source });
  }
  sql.dropChanges.run(end);
  for (const [page, changes] of pages) {
    sql.lessen.run(page, changes);
    sql.dropSections.run(page, end);
    sql.dropPage.run(page);
  }
  sql.moveStart.run(end);
  return end;
}

/** The day of the oldest remaining change. Earlier days have none. */
function dayOfOldest(sql: CatalogueStatements, seq: number): number {
  for (;;) {
    const [first, second] = sql.oldestDays.all() as { readonly day: number; readonly first: number }[];
    if (first === undefined) throw new Error(`No day has change ${seq}.`);
    if (second === undefined || second.first > seq) return first.day;
    sql.dropDay.run(first.day);
  }
}

function discount(
  sql: CatalogueStatements,
  { day, facts, source }: { readonly day: number; readonly facts: number; readonly source: number },
): void {
  const action = facts % ACTIONS;
  for (const id of [ALL_SOURCES, source]) {
    sql.discount.run(day, id, ...[0, 1, 2].map((one) => (one === action ? 1 : 0)));
    sql.dropTally.run(day, id);
  }
}
