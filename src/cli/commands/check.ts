import { InvalidArgumentError, Option } from 'commander';
import type { ClauseLevel } from '../../codecs/primitives/finding.ts';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import { CHECKED_SPECS, type CheckOptions, type CheckReport, checkReport } from '../../doors/check.ts';
import { formReport, REPORT_FORMS, type ReportForm, writeReportFile } from '../../doors/check-forms.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { checkEntries } from '../check-text.ts';
import { ExitCode } from '../exit-code.ts';
import { allowPrivateOption, caOption, isPrivateAllowed } from '../option-values.ts';
import { diffDeltaKeyOf } from '../secret.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const FORMATS = ['human', ...REPORT_FORMS] as const;

type Format = (typeof FORMATS)[number];

/** One form of the report; on stdout if it has no file. */
interface WantedReport {
  readonly format: Format;
  readonly file?: string;
}

export const checkVerb: Verb = {
  example:
    'tidings check ./site --spec aicf --fail-on must\ntidings check https://docs.example/ --fix-hints\ntidings check https://docs.example/ --json\ntidings check ./site --report sarif=check.sarif --report junit=check.xml --fail-on must\ntidings check https://docs.example/ --format html --output check.html\ntidings check https://hub.example/ --spec diffdelta\ntidings check https://api.example/ --spec agent-feed\ntidings check ./site --spec resourcesync\ntidings check page.json --spec aiwebindex',

  configure(command) {
    command
      .argument(
        '<url|dir|file>',
        'a live site, a folder with a published one, a ResourceSync file, or AIDocuments (aiwebindex)',
      )
      .addOption(
        new Option('--spec <dialect>', 'check this specification (default: every feed found)').choices(CHECKED_SPECS),
      )
      .addOption(new Option('--fail-on <level>', 'exit with 1 on findings of this level').choices(['must', 'should']))
      .option('--fix-hints', 'show how to fix each broken clause: the line, header or snippet to write')
      .addOption(new Option('--format <form>', 'format of the report (default: human)').choices(FORMATS))
      .option('--output <file>', 'write the report to this file instead of stdout')
      .addOption(
        new Option('--report <form=file>', 'also write the report to a file in this format (repeatable)').argParser(
          addReport,
        ),
      )
      .addOption(allowPrivateOption('allow private addresses, for local use'))
      .addOption(caOption())
      .option('--json', 'print the report as JSON');
  },

  async run([target = ''], { json, failOn, fixHints, format, output, report: asked, ...options }, world) {
    const wanted = wantedReports({ json, format, output, report: asked });
    const apiKey = diffDeltaKeyOf(world);
    // Forms that are read later and elsewhere have them in any case.
    const hints = fixHints === true || wanted.some(({ format: each }) => each !== 'human' && each !== 'json');
    const report = await checkReport(target, {
      ...(options as CheckOptions),
      fixHints: hints,
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      ...(apiKey !== undefined && { apiKey }),
      signal: world.signal,
      onStatus: (line) => world.status(line),
    });
    const failing: ClauseLevel[] = failOn === 'should' ? ['MUST', 'SHOULD'] : failOn === 'must' ? ['MUST'] : [];
    const plain = fixHints === true ? report : withoutHints(report);
    for (const each of wanted) {
      const hasHints = each.format !== 'human' && each.format !== 'json';
      await writeReport(hasHints ? report : plain, each, { failing, world });
    }
    return exitCodeFor(report, failing, world);
  },
};

function addReport(value: string, earlier: readonly WantedReport[] = []): readonly WantedReport[] {
  const [, form, file] = /^([a-z]+)=(.+)$/s.exec(value) ?? [];
  const format = FORMATS.find((each) => each === form);
  if (format === undefined || file === undefined)
    throw new InvalidArgumentError(`Write <form>=<file>, where the form is one of ${FORMATS.join(', ')}.`);
  return [...earlier, { format, file }];
}

function wantedReports({ json, format, output, report = [] }: Options): readonly WantedReport[] {
  if (json === true && format !== undefined && format !== 'json')
    throw new SettingRefusedError('--format', format, '`--json` is the same as `--format json`: give one of them.');
  const form = (json === true ? 'json' : (format ?? 'human')) as Format;
  const file = typeof output === 'string' ? { file: output } : {};
  return [{ format: form, ...file }, ...(report as readonly WantedReport[])];
}

function withoutHints({ hints: _, others, ...report }: CheckReport): CheckReport {
  return others === undefined ? report : { ...report, others: others.map(withoutHints) };
}

async function writeReport(
  report: CheckReport,
  { format, file }: WantedReport,
  { failing, world }: { readonly failing: readonly ClauseLevel[]; readonly world: World },
): Promise<void> {
  const entries = format === 'human' ? checkEntries(report) : [formText(report, format, failing).replace(/\n$/, '')];
  if (file !== undefined) return await writeReportFile(file, `${entries.join('\n')}\n`);
  for (const entry of entries) await world.print(entry);
}

function formText(report: CheckReport, form: ReportForm, failing: readonly ClauseLevel[]): string {
  return formReport(report, form, failing.length === 0 ? {} : { failing });
}

function exitCodeFor(report: CheckReport, failing: readonly ClauseLevel[], world: World): ExitCode {
  const reports = [report, ...(report.others ?? [])];
  const unread = reports.flatMap((each) => each.unread ?? []);
  for (const each of unread) world.complain(`tidings: not read: ${oneLine(each).replace(/\.$/, '')}.`);
  if (unread.length > 0) {
    world.complain('tidings: of what was not read nothing is said. Try again later.');
    return ExitCode.Incomplete;
  }
  const isFailing = reports.some(({ findings }) => findings.some(({ level }) => failing.includes(level)));
  return isFailing ? ExitCode.Findings : ExitCode.Done;
}
