/**
 * Findings as SARIF 2.1.0, for services that show them beside the code.
 *
 *     {"version":"2.1.0","runs":[{"tool":{"driver":{"name":"tidings","rules":[…]}},"results":[{"ruleId":"AICF-D2","level":"error",…}]}]}
 *
 * Spec: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
import { hash } from 'node:crypto';
import type { ClauseLevel, Finding } from '../../codecs/primitives/finding.ts';
import type { FixHint } from '../../dialects/fix-hint.ts';
import { type CheckReport, reportsIn } from '../check-report.ts';
import { findingPlace } from './report-verdict.ts';

/** The tool that checked. */
export interface CheckTool {
  readonly version: string;
  /** The page about it, with a final slash. */
  readonly homepage: string;
}

const LEVELS = { MUST: 'error', SHOULD: 'warning', MAY: 'note' } as const satisfies Record<ClauseLevel, string>;

export function encodeSarif(report: CheckReport, tool: CheckTool): string {
  return `${JSON.stringify(sarifLog(report, tool), undefined, 2)}\n`;
}

export function sarifLog(report: CheckReport, { version, homepage }: CheckTool) {
  const reports = reportsIn(report);
  const rules = rulesOf(reports, homepage);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const seen = new Map<string, number>();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0' as const,
    runs: [
      {
        tool: { driver: { name: 'tidings', semanticVersion: version, informationUri: homepage, rules } },
        automationDetails: { id: `tidings/check/${uriOf(report.target)}` },
        invocations: [invocationOf(reports)],
        columnKind: 'utf16CodeUnits' as const,
        results: reports.flatMap(({ findings }) =>
          findings.map((finding) => resultOf(finding, indexes.get(finding.clause) ?? -1, seen)),
        ),
      },
    ],
  };
}

/** Each rule with findings once, with the text of its clause if the table has it. */
function rulesOf(reports: readonly CheckReport[], homepage: string) {
  const rules = new Map<string, ReturnType<typeof ruleOf>>();
  for (const report of reports) {
    for (const finding of report.findings) {
      if (!rules.has(finding.clause)) rules.set(finding.clause, ruleOf(finding, report, homepage));
    }
  }
  return [...rules.values()];
}

function ruleOf({ clause, level, remedy }: Finding, { spec, clauses, hints }: CheckReport, homepage: string) {
  const known = clauses.find(({ id }) => id === clause);
  const text = known?.text ?? 'What the specification builds on.';
  return {
    id: clause,
    shortDescription: { text },
    help: { text: helpText(remedy, hints?.[clause]) },
    helpUri: `${homepage}docs/conformance#${clause.toLowerCase()}`,
    defaultConfiguration: { level: LEVELS[known?.level ?? level] },
    properties: { tags: [spec] },
  };
}

function helpText(remedy: string, hint: FixHint | undefined): string {
  if (hint === undefined) return remedy;
  return 'none' in hint ? `${remedy} ${hint.none}` : `${remedy}\n\nIn ${hint.where}:\n\n${hint.write}`;
}

function resultOf(finding: Finding, ruleIndex: number, seen: Map<string, number>) {
  const { clause, level, seen: what, remedy } = finding;
  const { address, line } = findingPlace(finding);
  const uri = uriOf(address);
  return {
    ruleId: clause,
    ruleIndex,
    level: LEVELS[level],
    message: { text: `${what} ${remedy}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri },
          ...(line !== undefined && { region: { startLine: line } }),
        },
      },
    ],
    partialFingerprints: { 'tidings/v1': fingerprint(`${clause}\n${uri}\n${what.replace(/\d+/g, '0')}`, seen) },
  };
}

/** Stays the same for the same finding: numbers such as lines, counts and times are not part of it. Equal findings are numbered. */
function fingerprint(text: string, seen: Map<string, number>): string {
  const count = seen.get(text) ?? 0;
  seen.set(text, count + 1);
  return hash('sha256', `${text}\n${count}`, 'hex').slice(0, 32);
}

/** A URL unchanged; a file as a reference below the working folder of the check, or as a `file:` URL. */
function uriOf(address: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address)) return encodeURI(address.toWellFormed()).replaceAll('%25', '%');
  const path = address
    .toWellFormed()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}

function invocationOf(reports: readonly CheckReport[]) {
  const told = (level: 'warning' | 'note', texts: readonly string[] = []) =>
    texts.map((text) => ({ level, message: { text } }));
  const notes = reports.flatMap((each) => [...told('warning', each.unread), ...told('note', each.notes)]);
  return {
    executionSuccessful: reports.every(({ unread }) => unread === undefined),
    ...(notes.length > 0 && { toolExecutionNotifications: notes }),
  };
}
