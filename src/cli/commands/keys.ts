import { Option } from 'commander';
import type { KeyReport } from '../../doors/surface.ts';
import { ExitCode } from '../exit-code.ts';
import { isMeant } from '../is-meant.ts';
import { addSurfaceOptions, needed, optional, printReport, targetOf } from '../surface-options.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const KEY_REMEDY = 'Name the key file, like key.json.';

export const keysNew: Verb = {
  example: ['tidings keys new --key key.json', 'tidings keys new --log --key log-key.json'].join('\n'),

  configure(command) {
    command
      .option('--key <file>', 'the file to create (an existing file is not changed)')
      .option('--log', 'create the key of a provable log instead, which signs only checkpoints')
      .option('--json', 'print the public key as JSON');
  },

  async run(_, options, world) {
    const key = needed(options, 'key', KEY_REMEDY);
    if (options.log === true) return await newKeyOfLog(key, options, world);
    const { newSigningKey } = await import('../../doors/surface.ts');
    const made = await newSigningKey({ key });
    if (options.json === true) await world.print(JSON.stringify(made));
    else await world.print(`${key}: ${made.id}, public key ${made.publicKey}. Keep the file secret, and a copy of it.`);
    return ExitCode.Done;
  },
};

async function newKeyOfLog(key: string, { json }: Options, world: World): Promise<ExitCode> {
  const { newLogKeyFile } = await import('../../doors/log-key.ts');
  const made = await newLogKeyFile({ key });
  if (json === true) await world.print(JSON.stringify(made));
  else {
    const use = 'Give it to publish with --log-key. Keep the file secret, and a copy of it: a log ends with its key.';
    await world.print(`${key}: key of a provable log, public key ${made.publicKey}. ${use}`);
  }
  return ExitCode.Done;
}

export const keysRotate: Verb = {
  example:
    'tidings keys rotate --key key.json --dir site --site https://api.example/\ntidings keys rotate --key key.json',

  configure(command) {
    command
      .option('--key <file>', 'the key file')
      .option('--dir <dir>', 'also put the new key into did.json in this folder')
      .addOption(new Option('--site <url>', 'the origin of the API, with --dir'))
      .option('--config <file>', 'read key, dir and site from the "surface" settings in this file')
      .option('--force', 'continue where a mistake is likely, such as a private address')
      .option('--json', 'print the new public key as JSON');
  },

  async run(_, options, world) {
    const key = needed(options, 'key', KEY_REMEDY);
    const dir = optional(options, 'dir');
    // The settings of a folder may name a site although nobody asked for its files.
    const site = dir === undefined && world.config !== undefined ? undefined : optional(options, 'site');
    const { rotateSigningKey } = await import('../../doors/surface.ts');
    const { warnings, written, ...made } = await rotateSigningKey({
      key,
      ...(dir !== undefined && { dir }),
      ...(site !== undefined && { site }),
      ...(options.force === true && { force: true }),
    });
    for (const warning of warnings) world.complain(`tidings: ${warning}`);
    if (options.json === true) {
      await world.print(JSON.stringify({ ...made, written, warnings }));
      return ExitCode.Done;
    }
    await world.print(`${key}: ${made.id} signs from now on, public key ${made.publicKey}.`);
    for (const file of written) await world.print(`wrote ${file}`);
    return ExitCode.Done;
  },
};

export const keysRevoke: Verb = {
  example: 'tidings keys revoke key-1 --key key.json --dir site --site https://api.example/ --yes',

  configure(command) {
    addSurfaceOptions(command.argument('<key-id>', 'the id, as shown by list')).option(
      '--yes',
      'do not ask for confirmation',
    );
  },

  async run([keyId = ''], options, world) {
    const target = targetOf(options);
    const warning = `This takes ${keyId} out of did.json for good: no reader believes it any more.`;
    if (!(await isMeant({ warning, word: keyId }, { options, world }))) return ExitCode.SafetyStop;
    const { revokeSigningKey } = await import('../../doors/surface.ts');
    const report = await revokeSigningKey(target, keyId);
    const { saidAgain } = report;
    const what = `${keyId} is revoked. ${saidAgain} ${saidAgain === 1 ? 'fact was' : 'facts were'} said again.`;
    await printReport(report, { json: options.json, what }, world);
    return ExitCode.Done;
  },
};

export const keysList: Verb = {
  example: 'tidings keys list --key key.json\ntidings keys list --key key.json --json',

  configure(command) {
    command.option('--key <file>', 'the key file').option('--json', 'print the keys as JSON');
  },

  async run(_, options, world) {
    const key = needed(options, 'key', KEY_REMEDY);
    const { listSigningKeys } = await import('../../doors/surface.ts');
    const keys = await listSigningKeys({ key });
    if (options.json === true) await world.print(JSON.stringify({ keys }));
    else for (const each of keys) await world.print(lineOf(each));
    return ExitCode.Done;
  },
};

function lineOf({ id, created, publicKey, retired, revoked }: KeyReport): string {
  const state = retired ? 'retired' : 'signs';
  return `${id}  ${created}  ${publicKey}  ${revoked ? 'revoked' : state}`;
}
