import { type Command, Option } from 'commander';
import {
  type HubStatus,
  isAsBadAs,
  readDataStatus,
  readHubStatus,
  readSharedStatus,
  TROUBLES,
  type Trouble,
} from '../../doors/hub-status.ts';
import { HubAnswerError } from '../../errors/hub-answer-error.ts';
import { addDataOptions, databaseOf, dataFolderOf } from '../data-options.ts';
import { ExitCode } from '../exit-code.ts';
import { openHubClient } from '../hub-client.ts';
import { databaseOption } from '../hub-config-options.ts';
import { caOption } from '../option-values.ts';
import { statusText } from '../status-text.ts';
import type { Verb } from '../verb.ts';
import { watchOverview } from '../watch-overview.ts';
import type { World } from '../world.ts';

export const status: Verb = {
  example: [
    'tidings status',
    'tidings status --hub http://127.0.0.1:8080/ --fail-on degraded',
    'tidings status --watch --hub http://127.0.0.1:8080/',
    'tidings status --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command: Command) {
    addDataOptions(command)
      .addOption(new Option('--hub <url>', 'ask the hub running at this URL').env('TIDINGS_HUB'))
      .addOption(databaseOption())
      .addOption(caOption())
      .option('--watch', 'show a live overview until q or Ctrl-C (when piped: print it again on each change)')
      .option('--all', 'show every source, not only those with problems')
      .addOption(
        new Option(
          '--fail-on <trouble>',
          'exit with 1 if a source is in this state or worse, or if no hub runs',
        ).choices(TROUBLES.toReversed()),
      )
      .option('--json', 'print everything as JSON');
  },

  async run(_args, options, world) {
    if (options.watch === true) return await watch(options, world);
    const found = await readStatus(options, world).catch((error: unknown) => unread(error, world));
    if (found === undefined) return ExitCode.Incomplete;
    if (options.json) await world.print(JSON.stringify(found));
    else for (const line of statusText(found, { all: options.all === true })) await world.print(line);
    const least = options.failOn as Trouble | undefined;
    return least !== undefined && isAsBadAs(found, least) ? ExitCode.Findings : ExitCode.Done;
  },
};

async function readStatus(options: Readonly<Record<string, unknown>>, world: World): Promise<HubStatus> {
  const url = databaseOf(options, world);
  if (url !== undefined) return await readSharedStatus(url);
  await using client = await openHubClient(options, world);
  if (client !== undefined) return await readHubStatus(client, String(options.hub));
  return await readDataStatus(dataFolderOf(options, world));
}

async function watch(options: Readonly<Record<string, unknown>>, world: World): Promise<ExitCode> {
  const { listenToHub, openSharedOverview, readDataOverview, readHubOverview } = await import(
    '../../doors/hub-overview.ts'
  );
  const url = databaseOf(options, world);
  await using shared = url === undefined ? undefined : await openSharedOverview(url);
  await using client = await openHubClient(options, world);
  const json = options.json === true;
  try {
    if (shared !== undefined) await watchOverview({ read: () => shared.read(), json }, world);
    else if (client === undefined) {
      const folder = dataFolderOf(options, world);
      await watchOverview({ read: () => readDataOverview(folder), json }, world);
    } else {
      const read = () => readHubOverview(client, String(options.hub));
      await watchOverview({ read, listen: (onNews, signal) => listenToHub(client, onNews, signal), json }, world);
    }
    return ExitCode.Done;
  } catch (error) {
    if (world.signal.aborted) return ExitCode.Done;
    unread(error, world);
    return ExitCode.Incomplete;
  }
}

/** Anything else that answers there could not be read as a hub, for whatever reason. */
function unread(error: unknown, world: World): undefined {
  if (!(error instanceof HubAnswerError)) throw error;
  world.complain(`tidings: ${error.message}`);
}
