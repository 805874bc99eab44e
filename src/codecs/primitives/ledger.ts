import type { Clause } from './clause.ts';
import type { ClauseLevel, Finding } from './finding.ts';

/** A finding before it is recorded. */
export interface LedgerEntry {
  readonly clause: string;
  /** By default, the level of the clause. */
  readonly level?: ClauseLevel;
  /** The URL or file, with `:line` if `line` is not given. */
  readonly where: string;
  /** From 1. */
  readonly line?: number | undefined;
  /** Faults with the same clause, document and sort are alike: the first few are listed and the others counted. */
  readonly sort?: string;
  readonly seen: string;
  readonly remedy: string;
}

/** Records what was checked, what could not be checked, and what was found. */
export interface Ledger {
  note(fault: LedgerEntry): void;
  /** These clauses were checked; without a finding they hold. */
  looked(...clauses: string[]): void;
  /** These clauses could not be checked, and why. */
  skipped(reason: string, ...clauses: string[]): void;
  /** Something else that a publisher should know. */
  remark(text: string): void;
  close(): CheckOutcome;
}

export interface CheckOutcome {
  /** In the order of the clauses. Of many that are alike, the first few and then a line that counts the others. */
  readonly findings: readonly Finding[];
  readonly checked: ReadonlySet<string>;
  /** By clause: why it was not checked. */
  readonly skipped: ReadonlyMap<string, string>;
  /** What else a publisher should know. */
  readonly notes: readonly string[];
}

/** More findings of one clause would bury the others. */
const MAX_OF_CLAUSE = 20;
const MAX_OF_SORT = 5;
const MAX_ADVICE_OF_SORT = 2;
/** A site may have any number of documents with different faults. */
const MAX_SORTS = 20;
const MAX_REMARKS = 20;

/** Faults that are alike. */
interface Group {
  readonly told: Finding[];
  /** The file of the last one that is listed. */
  file: string;
  count: number;
}

/** A ledger for the clauses of one specification, and for others that findings may name. */
export function openLedger(clauses: readonly Pick<Clause, 'id' | 'level'>[]): Ledger {
  const levels = new Map(clauses.map(({ id, level }) => [id, level]));
  const groups = new Map<string, Map<string, Group>>();
  const untold = new Map<string, number>();
  const checked = new Set<string>();
  const skipped = new Map<string, string>();
  const notes = new Set<string>();
  const known = (id: string): ClauseLevel => {
    const level = levels.get(id);
    if (level === undefined) throw new Error(`There is no clause ${id}.`);
    return level;
  };
  return {
    note(fault) {
      const ownLevel = known(fault.clause);
      const level = fault.level ?? ownLevel;
      const ofClause = groups.get(fault.clause) ?? new Map<string, Group>();
      groups.set(fault.clause, ofClause);
      const key = fault.sort === undefined ? '' : `${level} ${fault.sort} ${fault.where}`;
      if (ofClause.size < MAX_SORTS || ofClause.has(key)) addTo(ofClause, key, { ...fault, level });
      else untold.set(fault.clause, (untold.get(fault.clause) ?? 0) + 1);
    },
    looked(...ids) {
      for (const id of ids) if (known(id)) checked.add(id);
    },
    skipped(reason, ...ids) {
      for (const id of ids) if (known(id)) skipped.set(id, reason);
    },
    remark(text) {
      if (notes.size < MAX_REMARKS) notes.add(plain(text));
    },
    close() {
      const findings = clauses.flatMap(({ id }) => [
        ...[...(groups.get(id)?.values() ?? [])].flatMap(findingsOf),
        ...remainder(groups.get(id), untold.get(id)),
      ]);
      return { findings, checked, skipped, notes: [...notes] };
    },
  };
}

function addTo(groups: Map<string, Group>, key: string, fault: LedgerEntry & { readonly level: ClauseLevel }): void {
  const { clause, level, where, line, seen, remedy } = fault;
  const group = groups.get(key) ?? { told: [], file: where, count: 0 };
  groups.set(key, group);
  group.count += 1;
  const most = key === '' ? MAX_OF_CLAUSE : level === 'MAY' ? MAX_ADVICE_OF_SORT : MAX_OF_SORT;
  if (group.told.length >= most) return;
  const place = plain(line === undefined ? where : `${where}:${line}`);
  group.file = fault.sort === undefined ? where.replace(/:\d+$/, '') : where;
  group.told.push({ clause, level, where: place, seen: plain(seen), remedy: plain(remedy) });
}

/** Quoted text may contain terminal control characters. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}

function findingsOf({ told, file, count }: Group): Finding[] {
  const last = told.at(-1);
  const left = count - told.length;
  return last === undefined || left === 0 ? told : [...told, { ...last, where: file, seen: `and ${left} more` }];
}

function remainder(groups: ReadonlyMap<string, Group> | undefined, count: number | undefined): Finding[] {
  const last = [...(groups?.values() ?? [])].at(-1)?.told.at(-1);
  if (last === undefined || count === undefined) return [];
  return [{ ...last, where: last.where.replace(/:\d+$/, ''), seen: `and ${count} more in other places` }];
}
