import { oneLine } from '../codecs/primitives/one-line.ts';
import type { CheckReport } from '../doors/check.ts';

/** A report for people, in entries of one or a few lines each. */
export function checkEntries(report: CheckReport): readonly string[] {
  return [report, ...(report.others ?? [])].flatMap(dialectEntries);
}

function dialectEntries(report: CheckReport): readonly string[] {
  const { target, spec, clauses, findings, notes = [], unread, hints } = report;
  const hinted = new Set<string>();
  const entries = findings.map(({ clause, level, where, seen, remedy }) => {
    const [place, what, advice] = [where, seen, remedy].map(oneLine);
    const isFirst = !hinted.has(clause);
    hinted.add(clause);
    return `${level.padEnd(6)}  ${clause}  ${place}\n        seen: ${what}\n        do:   ${advice}${isFirst ? hintText(hints?.[clause]) : ''}`;
  });
  const count = (status: string) => clauses.filter((clause) => clause.status === status).length;
  const open = unread === undefined ? 'cannot be checked from outside' : 'could not be checked';
  return [
    ...entries,
    ...notes.map((note) => `note    ${oneLine(note)}`),
    `${target}: ${clauses.length} clauses of ${spec}: ${count('pass')} pass, ${count('fail')} fail, ${count('not-checkable')} ${open} (--json says why)${besides(report)}`,
  ];
}

function hintText(hint: NonNullable<CheckReport['hints']>[string] | undefined): string {
  if (hint === undefined) return '';
  if ('none' in hint) return `\n        hint: ${hint.none}`;
  const lines = hint.write.split('\n').map((line) => (line === '' ? '' : `          ${line}`));
  return `\n        hint: in ${hint.where}:\n${lines.join('\n')}`;
}

/** What was found that is about no clause of the table: about what the specification builds on. */
function besides({ clauses, findings }: CheckReport): string {
  const ids = new Set(clauses.map(({ id }) => id));
  const others = findings.filter(({ clause }) => !ids.has(clause));
  const counts = (['MUST', 'SHOULD', 'MAY'] as const).flatMap((level) => {
    const count = others.filter((finding) => finding.level === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  });
  return counts.length === 0 ? '' : `; besides the clauses ${counts.join(', ')}`;
}
