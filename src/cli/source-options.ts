import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { HttpOptions } from '../doors/open-http.ts';
import { type HubConfig, type SourceConfig, type SourceContext, sourceConfigOf } from '../doors/settings.ts';
import type { SourcePlace } from '../doors/source-place.ts';
import { addHubAddressOption, openHubClient } from './hub-client.ts';
import { addHubOptions, databaseOption, readHubConfig } from './hub-config-options.ts';
import { sharedHubOf } from './shared-hub.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

/** Where every `source` verb acts. */
export function addPlaceOptions(command: Command): Command {
  return addHubOptions(addHubAddressOption(command)).addOption(databaseOption());
}

/** What a `source` verb knows before it opens anything. */
export interface SourceWork {
  readonly options: Options;
  readonly world: World;
  readonly config: HubConfig;
  decode(source: unknown, context?: Partial<SourceContext>): SourceConfig;
}

/** What is wrong in the config is said in any case. */
export function startWork(options: Options, world: World): SourceWork {
  const config = readHubConfig(options, world);
  // How often a hub that runs may ask is known to it alone; it refuses what it does not take.
  const allowPrivate = config.allowPrivate || options.hub !== undefined;
  const known = { allowPrivate, base: resolve() };
  return { options, world, config, decode: (source, context) => sourceConfigOf(source, { ...known, ...context }) };
}

/** The hub that `--hub` names, else the database, else the data folder. Who only reads can look beside a hub that runs. */
export async function openPlace(work: SourceWork, access: 'read' | 'write'): Promise<SourcePlace> {
  const { options, world, config } = work;
  const url = sharedHubOf({ options, world, config, access });
  const client = await openHubClient(options, world);
  // Loaded when it is needed, or every verb would pay for it.
  if (client !== undefined) {
    const { createHubSources } = await import('../doors/source-client.ts');
    return createHubSources(client, String(options.hub));
  }
  const test: SourcePlace['test'] = async (source) => {
    const { trySource } = await import('../doors/try-source.ts');
    return await trySource(source, { ...httpOptionsOf(config), signal: world.signal });
  };
  const common = { now: Date.now, test, ...(world.config !== undefined && { configFile: world.config.file }) };
  if (url !== undefined) {
    const { openSourceDatabase } = await import('../doors/source-database.ts');
    return await openSourceDatabase({ ...common, url, access, allowPrivate: config.allowPrivate });
  }
  const { openSourceFolder } = await import('../doors/source-folder.ts');
  return await openSourceFolder({ ...common, config, readonly: access === 'read' });
}

export function httpOptionsOf({ allowPrivate, ca, botUrl, cooldownMs }: HubConfig): HttpOptions {
  return {
    allowPrivate,
    ...(ca !== undefined && { ca }),
    ...(botUrl !== undefined && { botUrl }),
    ...(cooldownMs !== undefined && { cooldownMs }),
  };
}
