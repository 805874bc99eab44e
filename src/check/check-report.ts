import type { Clause } from '../codecs/primitives/clause.ts';
import type { ClauseLevel, Finding } from '../codecs/primitives/finding.ts';
import type { CheckOutcome } from '../codecs/primitives/ledger.ts';
import type { Checked } from '../dialects/checker.ts';
import { type FixHint, type FixHints, hintFor } from '../dialects/fix-hint.ts';

export interface ClauseVerdict {
  readonly id: string;
  readonly level: ClauseLevel;
  /** The obligation, in one line. */
  readonly text: string;
  /** `fail` if a finding is as severe as the clause; milder findings, and those on optional parts, do not change it. */
  readonly status: 'pass' | 'fail' | 'not-checkable';
  /** Why it is not checkable. */
  readonly reason?: string;
}

export interface CheckReport {
  readonly target: string;
  /** The name of the dialect. */
  readonly spec: string;
  /** Every clause of the specification, in its order. */
  readonly clauses: readonly ClauseVerdict[];
  readonly findings: readonly Finding[];
  /** What the check omitted, and why. */
  readonly notes?: readonly string[];
  /** What could not be read now, and why. The report says nothing about these. Absent if everything was read. */
  readonly unread?: readonly string[];
  /** For clauses with findings: what to write, or why there is nothing to write. Only if requested. */
  readonly hints?: Readonly<Record<string, FixHint>>;
  /** If no dialect was requested: the reports of the other dialects found there. */
  readonly others?: readonly CheckReport[];
}

const GRAVITY: Readonly<Record<ClauseLevel, number>> = { MUST: 2, SHOULD: 1, MAY: 0 };

/** The findings of a check, with a verdict on every clause. */
export function checkReportOf(
  { target, spec }: Pick<CheckReport, 'target' | 'spec'>,
  clauses: readonly Clause[],
  checked: Checked,
): CheckReport {
  const { findings, notes, unread = [] } = checked;
  return {
    target,
    spec,
    clauses: clauses.map(({ id, level, text }) => ({ id, level, text, ...verdictOf(id, level, checked) })),
    findings,
    ...(notes.length > 0 && { notes }),
    ...(unread.length > 0 && { unread }),
  };
}

/** The report with what to write for each clause that has findings. */
export function withHints(report: CheckReport, hints: FixHints): CheckReport {
  const found: Record<string, FixHint> = {};
  for (const { clause } of report.findings) {
    const hint = hintFor(hints, clause);
    if (hint !== undefined) found[clause] = hint;
  }
  return { ...report, hints: found };
}

/** A report and those of the other dialects found there. */
export function reportsIn(report: CheckReport): readonly CheckReport[] {
  return [report, ...(report.others ?? [])];
}

function verdictOf(id: string, level: ClauseLevel, outcome: CheckOutcome): Pick<ClauseVerdict, 'status' | 'reason'> {
  const { findings, checked, skipped } = outcome;
  const grave = findings.filter((finding) => finding.level !== 'MAY' && GRAVITY[finding.level] >= GRAVITY[level]);
  if (grave.some(({ clause }) => clause === id)) return { status: 'fail' };
  if (checked.has(id)) return { status: 'pass' };
  return { status: 'not-checkable', reason: skipped.get(id) ?? 'It was not looked at.' };
}
