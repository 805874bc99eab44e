import type { ClauseLevel, Finding } from '../../codecs/primitives/finding.ts';
import { type CheckReport, reportsIn } from '../check-report.ts';

/** A whole report in one word. `unknown`: not everything could be read, and what was read has no fault. */
export type ReportVerdict = 'passing' | 'warnings' | 'failing' | 'unknown';

export function reportVerdict(report: CheckReport): ReportVerdict {
  const reports = reportsIn(report);
  const has = (level: ClauseLevel) => reports.some(({ findings }) => findings.some((each) => each.level === level));
  if (has('MUST')) return 'failing';
  if (reports.some(({ unread }) => unread !== undefined)) return 'unknown';
  return has('SHOULD') ? 'warnings' : 'passing';
}

/** The place of a finding: its line, if it has one, follows the last colon. */
export function findingPlace({ where }: Pick<Finding, 'where'>): { readonly address: string; readonly line?: number } {
  const [, address, line] = /^(.*):([1-9]\d{0,8})$/s.exec(where) ?? [];
  // The port of an address is no line.
  if (address === undefined || /^[a-z][a-z0-9+.-]*:\/\/[^/]*$/i.test(address)) return { address: where };
  return { address, line: Number(line) };
}
