import { checkAicf } from '../codecs/aicf/check.ts';
import { AICF_CLAUSES } from '../codecs/aicf/clauses.ts';
import type { CheckOutcome } from '../codecs/aicf/ledger.ts';
import type { ClauseLevel, Finding } from '../codecs/primitives/finding.ts';
import { gatherAicf } from './gather-aicf.ts';
import type { DocumentSource } from './read-document.ts';

export interface ClauseVerdict {
  readonly id: string;
  readonly level: ClauseLevel;
  /** The obligation, in one line. */
  readonly text: string;
  /** `fail` when a finding is as grave as the clause; milder ones leave it as it is. */
  readonly status: 'pass' | 'fail' | 'not-checkable';
  /** Why it is not checkable. */
  readonly reason?: string;
}

export interface CheckReport {
  readonly target: string;
  readonly spec: 'aicf';
  /** Every clause of the specification, in its order. */
  readonly clauses: readonly ClauseVerdict[];
  readonly findings: readonly Finding[];
}

const GRAVITY: Readonly<Record<ClauseLevel, number>> = { MUST: 2, SHOULD: 1, MAY: 0 };

/** Reads a site and holds it against every clause of the specification. */
export async function checkTarget(source: DocumentSource): Promise<CheckReport> {
  const seen = await gatherAicf(source);
  const outcome = checkAicf(seen);
  const clauses = AICF_CLAUSES.map(({ id, level, text }) => ({ id, level, text, ...verdictOf(id, level, outcome) }));
  return { target: source.name, spec: 'aicf', clauses, findings: outcome.findings };
}

function verdictOf(id: string, level: ClauseLevel, outcome: CheckOutcome): Pick<ClauseVerdict, 'status' | 'reason'> {
  const { findings, checked, skipped } = outcome;
  if (findings.some((finding) => finding.clause === id && GRAVITY[finding.level] >= GRAVITY[level])) {
    return { status: 'fail' };
  }
  if (checked.has(id)) return { status: 'pass' };
  return { status: 'not-checkable', reason: skipped.get(id) ?? 'It was not looked at.' };
}
