import { join } from 'node:path';
import { Option } from 'commander';
import { redactFolder } from '../../doors/redact-folder.ts';
import { redactByHub, redactHub } from '../../doors/redact-hub.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { kindOfFile } from '../../io/files/kind.ts';
import { readLogKey, signerIn } from '../../io/files/log-key.ts';
import { DATABASE_FILE } from '../../io/sqlite/log.ts';
import type { HubClient } from '../../io/undici/hub-client.ts';
import { ExitCode } from '../exit-code.ts';
import { addHubAddressOption, openHubClient } from '../hub-client.ts';
import { isMeant } from '../is-meant.ts';
import { caOption } from '../option-values.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const redact: Verb = {
  example: 'tidings redact 01ARZ3NDEKTSV4RRFFQ69G5FAV ./site --log-key log-key.json --yes',

  configure(command) {
    addHubAddressOption(command)
      .argument('<change-id>', 'the id of the change, as shown by tidings log --json')
      .argument('[place]', 'a published site, or the data folder of a stopped hub (default: the current folder)')
      .addOption(new Option('--log-key <file>', 'the key of the provable log').env('TIDINGS_LOG_KEY_FILE'))
      .addOption(new Option('--state <dir>', 'folder of log.ndjson, if not on the site').env('TIDINGS_STATE'))
      .addOption(caOption())
      .option('--yes', 'do not ask for confirmation')
      .option('--json', 'print what was done as JSON');
  },

  async run([id = '', given], options, world) {
    const place = given ?? '.';
    const client = await openHubClient(hubOptions(given, options, world), world);
    if (client !== undefined || (await kindOfFile(join(place, DATABASE_FILE))) === 'sqlite')
      return await redactInHub({ id, place, client }, options, world);
    const logSigner = await signerOf(options, world);
    const warning = `This deletes the texts of change ${id} in ${place} for good.`;
    if (!(await isMeant({ warning, word: 'redact' }, { options, world }))) return ExitCode.SafetyStop;
    const { state, json } = options;
    const report = await redactFolder(place, id, { logSigner, ...(typeof state === 'string' && { state }) });
    if (json === true) {
      await world.print(JSON.stringify(report));
      return ExitCode.Done;
    }
    await world.print(
      `${id}: ${report.fields.join(', ')} and their salts are gone. The log has ${report.size} entries.`,
    );
    for (const file of report.rewritten) await world.print(`rewrote ${file}`);
    for (const file of report.kept) world.complain(`tidings: ${file} still holds it and may not be rewritten.`);
    await world.print('Deploy the folder: until then the live site has the old files.');
    return ExitCode.Done;
  },
};

/** A place that was named counts more than the hub of the environment: what is deleted is what the words say. */
function hubOptions(place: string | undefined, { hub, ...others }: Options, { env }: World): Options {
  if (place === undefined || hub === undefined) return { hub, ...others };
  if (hub === env.TIDINGS_HUB) return others;
  throw new SettingRefusedError('--hub', String(hub), `The place ${place} is named, too. Name one of them.`);
}

interface HubPlace {
  readonly id: string;
  /** Its data folder, if it is not running. */
  readonly place: string;
  readonly client: HubClient | undefined;
}

async function redactInHub({ id, place, client }: HubPlace, options: Options, world: World): Promise<ExitCode> {
  const warning = `This deletes the texts of change ${id} in ${client === undefined ? place : options.hub} for good.`;
  if (!(await isMeant({ warning, word: 'redact' }, { options, world }))) return ExitCode.SafetyStop;
  const report = client === undefined ? await redactHub(place, id) : await redactByHub(client, id, String(options.hub));
  if (options.json === true) await world.print(JSON.stringify(report));
  else {
    const { fields } = report;
    await world.print(
      fields.length === 0
        ? `${id} has no texts, or they are redacted already.`
        : `${id}: ${fields.join(', ')} and their salts are gone.`,
    );
    for (const path of report.kept) world.complain(`tidings: ${path} still holds it and may not be rewritten.`);
  }
  return ExitCode.Done;
}

async function signerOf({ logKey }: Options, { env }: World) {
  if (typeof logKey === 'string') return await readLogKey(logKey);
  if (env.TIDINGS_LOG_KEY) return signerIn(env.TIDINGS_LOG_KEY, 'TIDINGS_LOG_KEY');
  throw new SettingRefusedError(
    '--log-key',
    '(not given)',
    'Give the key of the provable log: each redaction is an entry of it.',
  );
}
