import { Option } from 'commander';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import { CHECKED_SPECS, type CheckOptions, type CheckReport, checkReport } from '../../doors/check.ts';
import { ExitCode } from '../exit-code.ts';
import { allowPrivateOption, caOption, isPrivateAllowed } from '../option-values.ts';
import { diffDeltaKeyOf } from '../secret.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const checkVerb: Verb = {
  example:
    'tidings check ./site --spec aicf --fail-on must\ntidings check https://docs.example/ --json\ntidings check https://hub.example/ --spec diffdelta\ntidings check https://api.example/ --spec agent-feed\ntidings check ./site --spec resourcesync\ntidings check page.json --spec aiwebindex',

  configure(command) {
    command
      .argument(
        '<url|dir|file>',
        'a live site, or a folder with a published one; a file of resourcesync; of aiwebindex: AIDocuments',
      )
      .addOption(
        new Option('--spec <dialect>', 'which specification (every feed that is there)').choices(CHECKED_SPECS),
      )
      .addOption(new Option('--fail-on <level>', 'exit with 1 on findings of this level').choices(['must', 'should']))
      .addOption(allowPrivateOption('reach private addresses too: for local work'))
      .addOption(caOption())
      .option('--json', 'print the report as JSON');
  },

  async run([target = ''], { json, failOn, ...options }, world) {
    const apiKey = diffDeltaKeyOf(world);
    const report = await checkReport(target, {
      ...(options as CheckOptions),
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      ...(apiKey !== undefined && { apiKey }),
      signal: world.signal,
      onStatus: (line) => world.status(line),
    });
    if (json) await world.print(JSON.stringify(report));
    const reports = [report, ...(report.others ?? [])];
    if (!json) for (const each of reports) await printReport(each, world);
    const unread = reports.flatMap((each) => each.unread ?? []);
    for (const each of unread) world.complain(`tidings: not read: ${oneLine(each).replace(/\.$/, '')}.`);
    if (unread.length > 0) {
      world.complain('tidings: of what was not read nothing is said. Try again later.');
      return ExitCode.Incomplete;
    }
    const failing = failOn === 'should' ? ['MUST', 'SHOULD'] : failOn === 'must' ? ['MUST'] : [];
    const isFailing = reports.some(({ findings }) => findings.some(({ level }) => failing.includes(level)));
    return isFailing ? ExitCode.Findings : ExitCode.Done;
  },
};

async function printReport(report: CheckReport, world: World): Promise<void> {
  const { target, spec, clauses, findings, notes = [], unread } = report;
  for (const { clause, level, where, seen, remedy } of findings) {
    const [place, what, advice] = [where, seen, remedy].map(oneLine);
    await world.print(`${level.padEnd(6)}  ${clause}  ${place}\n        seen: ${what}\n        do:   ${advice}`);
  }
  for (const note of notes) await world.print(`note    ${oneLine(note)}`);
  const count = (status: string) => clauses.filter((clause) => clause.status === status).length;
  const open = unread === undefined ? 'cannot be checked from outside' : 'could not be checked';
  await world.print(
    `${target}: ${clauses.length} clauses of ${spec}: ${count('pass')} pass, ${count('fail')} fail, ${count('not-checkable')} ${open} (--json says why)${besides(report)}`,
  );
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
