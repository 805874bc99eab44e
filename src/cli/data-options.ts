import { type Command, Option } from 'commander';
import type { SharedHubCopy } from '../doors/shared-hub.ts';
import { readHubConfig } from './hub-config-options.ts';
import { copyOf, sharedHubOf, twoPlaces } from './shared-hub.ts';
import type { World } from './world.ts';

/** For verbs that read the data of a hub, also beside one that runs. */
export function addDataOptions(command: Command): Command {
  return command
    .option('--config <file>', 'settings of the hub (default: ./tidings.config.json, if it exists)')
    .addOption(
      new Option('--data <dir>', 'data folder of the hub (default: ./data next to the settings)').env('TIDINGS_DATA'),
    );
}

export function dataFolderOf(options: Readonly<Record<string, unknown>>, world: World): string {
  // Nobody is asked, so no pace of the settings is too fast.
  return readHubConfig({ ...options, allowPrivate: true }, world).data;
}

/** The database that a verb reads instead; undefined if it reads a data folder, or asks a running hub. */
export function databaseOf(options: Readonly<Record<string, unknown>>, world: World): string | undefined {
  const config = readHubConfig({ ...options, allowPrivate: true }, world);
  return sharedHubOf({ options, world, config, access: 'read' });
}

/** A copy of the hub that is kept in a database, unless a place is named. */
export async function copyWhereShared(
  place: string | undefined,
  options: Readonly<Record<string, unknown>>,
  world: World,
): Promise<SharedHubCopy | undefined> {
  if (place !== undefined && options.database !== undefined) throw twoPlaces(place);
  const url = place === undefined ? databaseOf(options, world) : undefined;
  return url === undefined ? undefined : await copyOf(url);
}
