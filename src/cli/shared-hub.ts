import { resolve } from 'node:path';
import type { HubConfig } from '../doors/settings.ts';
import type { SharedHubCopy } from '../doors/shared-hub.ts';
import { hubSharedError } from '../errors/refusals.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

export interface SharedHubChoice {
  readonly options: Options;
  readonly world: World;
  /** Read with these options. */
  readonly config: Pick<HubConfig, 'database'>;
  readonly access: 'read' | 'write';
}

/**
 * The database that a verb acts on; undefined if it acts through a running hub (`--hub`), or on a data folder.
 *
 * A database of a variable or of the settings is used unless an option names another place: a reader may name the copy of one process. Two options that name
 * two places are refused. TIDINGS_DATA and "data" say where processes keep their copies, and contradict nothing.
 */
export function sharedHubOf({ options, world, config, access }: SharedHubChoice): string | undefined {
  const { hub, database: named } = options;
  const isFolderNamed = namesFolder(options, world);
  if (named !== undefined && hub !== undefined) throw twoPlaces('--hub (or TIDINGS_HUB)');
  if (named !== undefined && isFolderNamed) throw twoPlaces('--data');
  if (hub !== undefined || config.database === undefined) return undefined;
  if (!isFolderNamed) return config.database;
  if (access === 'write') throw hubSharedError();
  return undefined;
}

/** For verbs that read a data folder: that of the hub, as it is now. */
export async function copyOf(url: string): Promise<SharedHubCopy> {
  // Loaded when it is needed: it brings in the driver of the database.
  const { copySharedHub } = await import('../doors/shared-hub.ts');
  return await copySharedHub(url);
}

/** The value is not repeated: it may hold a password. */
export function twoPlaces(other: string): SettingRefusedError {
  return new SettingRefusedError('--database', `beside ${other}`, 'They are two places. Name one of them.');
}

/** By an option: a variable gives the usual place of this machine. */
function namesFolder({ data }: Options, { env }: World): boolean {
  return typeof data === 'string' && (env.TIDINGS_DATA === undefined || resolve(data) !== resolve(env.TIDINGS_DATA));
}
