import type { Clause } from './clause.ts';
import type { ClauseLevel, Finding } from './finding.ts';

/** More of one clause would bury the others. */
const MAX_FINDINGS_PER_CLAUSE = 20;

/** A finding before it is booked. Its level is that of the clause unless it says otherwise. */
interface Note {
  readonly clause: string;
  readonly where: string;
  readonly seen: string;
  readonly remedy: string;
  readonly level?: ClauseLevel;
}

/** What was looked at, what could not be, and what was found. */
export interface Ledger {
  note(note: Note): void;
  /** These clauses were looked at; without a finding they hold. */
  looked(...clauses: string[]): void;
  /** These clauses could not be looked at, and why. */
  skipped(reason: string, ...clauses: string[]): void;
  close(): CheckOutcome;
}

export interface CheckOutcome {
  /** In the order of the clauses, at most 20 of one clause and then a line that counts the others. */
  readonly findings: readonly Finding[];
  readonly checked: ReadonlySet<string>;
  /** By clause: why it was not checked. */
  readonly skipped: ReadonlyMap<string, string>;
}

/** A ledger of the clauses of one specification. */
export function openLedger(clauses: readonly Clause[]): Ledger {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const clauseOf = (id: string): Clause => {
    const clause = byId.get(id);
    if (clause === undefined) throw new Error(`There is no clause ${id}.`);
    return clause;
  };
  const found = new Map<Clause, Finding[]>();
  const overflow = new Map<Clause, number>();
  const checked = new Set<string>();
  const skipped = new Map<string, string>();
  return {
    note({ clause: id, level, ...rest }) {
      const clause = clauseOf(id);
      const findings = found.get(clause) ?? [];
      if (findings.length === MAX_FINDINGS_PER_CLAUSE) overflow.set(clause, (overflow.get(clause) ?? 0) + 1);
      else findings.push({ clause: id, level: level ?? clause.level, ...rest });
      found.set(clause, findings);
    },
    looked: (...ids) => {
      for (const id of ids) checked.add(clauseOf(id).id);
    },
    skipped: (reason, ...ids) => {
      for (const id of ids) skipped.set(clauseOf(id).id, reason);
    },
    close() {
      const findings = clauses.flatMap((clause) => [
        ...(found.get(clause) ?? []),
        ...remainder(found.get(clause)?.at(-1), overflow.get(clause)),
      ]);
      return { findings, checked, skipped };
    },
  };
}

function remainder(last: Finding | undefined, count: number | undefined): Finding[] {
  if (last === undefined || count === undefined) return [];
  return [{ ...last, where: last.where.replace(/:\d+$/, ''), seen: `and ${count} more` }];
}
