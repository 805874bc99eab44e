import { join } from 'node:path';
import { Option } from 'commander';
import { oneLine } from '../../codecs/primitives/one-line.ts';
import { type AuditOutcome, audit } from '../../doors/audit.ts';
import { ExitCode } from '../exit-code.ts';
import {
  allowPrivateOption,
  caOption,
  isPrivateAllowed,
  quorumFlags,
  quorumOption,
  witnessKeyOption,
} from '../option-values.ts';
import { stateFolder } from '../state-folder.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const auditVerb: Verb = {
  example:
    'tidings audit https://docs.example/ --state ./audit\ntidings audit https://hub.example/ --since seen.checkpoint --vkey hub.vkey --save seen.checkpoint\ntidings audit ./site --json',

  configure(command) {
    command
      .argument('<url|dir>', 'a site or hub with a provable log, or the folder of a published one')
      .option('--since <file>', 'a signed checkpoint seen earlier, which the current log must continue')
      .option(
        '--vkey <key|file>',
        'the key of the log, from a source you trust (default: from the last audit, else from the site itself)',
      )
      .addOption(
        new Option('--state <dir>', 'remember the key, checkpoint and changes here, and keep evidence').env(
          'TIDINGS_AUDIT_STATE',
        ),
      )
      .addOption(witnessKeyOption())
      .addOption(quorumOption())
      .option('--save <file>', 'write the newest proven checkpoint to this file')
      .addOption(allowPrivateOption('allow private addresses, for local use'))
      .addOption(caOption())
      .option('--json', 'print the report as JSON');
    command.addHelpText('after', EXIT_HELP);
  },

  async run([target = ''], { json, ...options }, world) {
    const { since, vkey, state, save, ca } = options as Readonly<Record<string, string | undefined>>;
    const outcome = await audit(target, {
      ...(since !== undefined && { since }),
      ...(vkey !== undefined && { vkey }),
      ...(state === undefined ? evidenceIn(world) : { state }),
      ...(save !== undefined && { save }),
      ...(ca !== undefined && { ca }),
      ...quorumFlags(options),
      allowPrivate: isPrivateAllowed(options.allowPrivate, world),
      signal: world.signal,
      onStatus: (line) => world.status(line),
    });
    world.status('');
    if (json === true) await world.print(JSON.stringify(outcome));
    else await printOutcome(target, outcome, world);
    for (const each of outcome.unread) world.complain(`tidings: not proven: ${oneLine(each).replace(/\.$/, '')}.`);
    if (outcome.findings.length > 0) return ExitCode.SafetyStop;
    return outcome.unread.length > 0 ? ExitCode.Incomplete : ExitCode.Done;
  },
};

const EXIT_HELP = `
Exits with 0 if everything was proven, 3 if something could not be checked, 4 if something is proven to be wrong. Without a
witness, an audit shows that the log was not rewritten between your own audits, not that others see the same log.`;

/** Whoever has no folder of their own gets evidence by --json or --state. */
function evidenceIn({ env }: World): { readonly evidence?: string } {
  const isHome = [env.XDG_STATE_HOME, env.HOME, env.USERPROFILE].some((folder) => folder !== undefined);
  return isHome ? { evidence: join(stateFolder(env), 'audit') } : {};
}

const SHOWN = 50;

async function printOutcome(target: string, outcome: AuditOutcome, world: World): Promise<void> {
  const { findings, notes, size, previousSize, newest, evidenceFolder } = outcome;
  for (const { what, where } of findings.slice(0, SHOWN))
    await world.print(`WRONG   ${oneLine(where)}\n        ${oneLine(what)}`);
  if (findings.length > SHOWN) await world.print(`WRONG   and ${findings.length - SHOWN} more (--json has them all)`);
  for (const note of notes) await world.print(`note    ${oneLine(note)}`);
  if (evidenceFolder !== undefined) await world.print(`kept    ${evidenceFolder}`);
  const before = previousSize === undefined ? 'seen for the first time' : `${previousSize} of them seen before`;
  const age = newest === undefined ? '' : `; the newest is of ${newest}`;
  const verdict = outcome.ok
    ? 'all proven'
    : findings.length > 0
      ? `${findings.length} findings`
      : 'not all could be looked at';
  await world.print(`${target}: ${size} entries, ${before}${age}: ${verdict}`);
}
