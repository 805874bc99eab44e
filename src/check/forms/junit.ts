/**
 * A report as JUnit XML, for services of CI: a suite for each dialect, a test for each clause.
 *
 *     <testsuites><testsuite name="aicf" tests="2" failures="1"><testcase name="AICF-D2 …"><failure>…</failure></testcase></testsuite></testsuites>
 *
 * Spec: https://github.com/windyroad/JUnit-Schema
 */
import type { ClauseLevel, Finding } from '../../codecs/primitives/finding.ts';
import { escapeXml } from '../../codecs/primitives/xml-escape.ts';
import { type CheckReport, reportsIn } from '../check-report.ts';

/** Findings of these levels are failures; the others appear in the output of their test. */
export interface JunitOptions {
  readonly failing?: readonly ClauseLevel[];
}

interface TestCase {
  readonly name: string;
  readonly spec: string;
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
}

export function encodeJunit(report: CheckReport, { failing = ['MUST'] }: JunitOptions = {}): string {
  const suites = reportsIn(report).map((each) => ({ spec: each.spec, cases: casesOf(each, failing) }));
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${text(`tidings check ${report.target}`)}"${counts(all)}>`,
    ...suites.flatMap(({ spec, cases }) => [
      `  <testsuite name="${text(spec)}"${counts(cases)}>`,
      ...cases.map(caseXml),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function casesOf(report: CheckReport, failing: readonly ClauseLevel[]): readonly TestCase[] {
  const { spec, clauses, findings, unread = [] } = report;
  const known = new Set(clauses.map(({ id }) => id));
  const others = [...new Set(findings.map(({ clause }) => clause))].filter((id) => !known.has(id));
  return [
    ...unread.map((reason) => ({ name: 'Everything could be read', spec, ...element('error', reason, reason) })),
    ...clauses.map(({ id, text: words, status, reason }) => {
      const name = `${id} ${words}`;
      const found = foundOf(report, id, failing);
      if (found === undefined && status === 'not-checkable')
        return { name, spec, kind: 'skipped' as const, xml: `<skipped message="${text(reason ?? '')}"/>` };
      return { name, spec, ...(found ?? PASSED) };
    }),
    ...others.map((id) => ({ name: id, spec, ...(foundOf(report, id, failing) ?? PASSED) })),
  ];
}

const PASSED = { kind: 'passed', xml: '' } as const;

/** What was found of a clause. */
function foundOf({ findings, hints }: CheckReport, id: string, failing: readonly ClauseLevel[]) {
  const found = findings.filter(({ clause }) => clause === id);
  const [first] = found;
  if (first === undefined) return undefined;
  const hint = hints?.[id];
  const written = hint === undefined || 'none' in hint ? [] : [`In ${hint.where}:`, hint.write];
  const words = [...found.map(findingText), ...written].join('\n');
  const grave = found.find(({ level }) => failing.includes(level));
  if (grave !== undefined) return element('failure', grave.seen, words, grave.level);
  return { kind: 'passed' as const, xml: `<system-out>${text(words)}</system-out>` };
}

function findingText({ level, where, seen, remedy }: Finding): string {
  return `${level} ${where}\n  seen: ${seen}\n  do:   ${remedy}`;
}

function element(kind: 'failure' | 'error', message: string, words: string, type = 'unread') {
  return { kind, xml: `<${kind} message="${text(message)}" type="${text(type)}">${text(words)}</${kind}>` };
}

function caseXml({ name, spec, xml }: TestCase): string {
  const open = `    <testcase name="${text(name)}" classname="${text(spec)}"`;
  return xml === '' ? `${open}/>` : `${open}>${xml}</testcase>`;
}

function counts(cases: readonly TestCase[]): string {
  const count = (kind: TestCase['kind']) => cases.filter((each) => each.kind === kind).length;
  return ` tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
}

/** Removes characters that XML cannot contain or that control terminals. */
function text(words: string): string {
  return escapeXml(words.replace(/(?![\n\t])\p{Cc}/gu, ''));
}
