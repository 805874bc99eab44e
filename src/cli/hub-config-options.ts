import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { baseUrl, databaseUrl, hostName } from '../doors/setting-values.ts';
import { type HubConfig, hubConfigOf } from '../doors/settings.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import {
  allowPrivateOption,
  botUrlOption,
  caOption,
  cooldownOption,
  isPrivateAllowed,
  wholeNumber,
} from './option-values.ts';
import { databaseUrlOf } from './secret.ts';
import type { World } from './world.ts';

/** The options of every verb that is about one hub. */
export function addHubOptions(command: Command): Command {
  return command
    .option('--config <file>', 'settings of the hub (default: ./tidings.config.json, if it exists)')
    .addOption(
      new Option('--data <dir>', 'data folder of the hub (default: ./data next to the settings)').env('TIDINGS_DATA'),
    )
    .addOption(allowPrivateOption('allow private addresses, for local use'))
    .addOption(caOption());
}

/** For verbs of a hub that may run in several processes. Its password has no place among options, which others can read. */
export function databaseOption(): Option {
  const words = 'the PostgreSQL database shared by the processes of the hub (TIDINGS_DATABASE, TIDINGS_DATABASE_FILE)';
  return new Option('--database <url>', words);
}

/** The options of the hub itself. */
export function addServerOptions(command: Command): Command {
  return addHubOptions(command)
    .addOption(
      new Option('--port <port>', 'listen on this port, 0 for any free port (default: 8080)')
        .env('TIDINGS_PORT')
        .argParser(wholeNumber(0)),
    )
    .addOption(new Option('--host <address>', 'listen on this address (default: 127.0.0.1)').env('TIDINGS_HOST'))
    .addOption(
      new Option('--base-url <url>', 'public URL of the hub (default: the address it listens on)').env(
        'TIDINGS_BASE_URL',
      ),
    )
    .addOption(botUrlOption())
    .addOption(cooldownOption());
}

/** Defaults, then the file, then variables and flags; everything decoded. */
export function readHubConfig(options: Readonly<Record<string, unknown>>, world: World): HubConfig {
  const { config } = world;
  const decoded = hubConfigOf(config?.value ?? {}, {
    base: config?.folder ?? resolve(),
    ...(config !== undefined && { file: config.file }),
    allowPrivate: isPrivateAllowed(options.allowPrivate, world),
  });
  const { port, host, data, baseUrl: base, botUrl, cooldown, ca, database = databaseUrlOf(world) } = options;
  return {
    ...decoded,
    ...(typeof port === 'number' && { port: portOf(port) }),
    ...(host !== undefined && { host: hostName(host, '--host') }),
    ...(data !== undefined && { data: folderOf(data, '--data') }),
    ...(base !== undefined && { baseUrl: baseUrl(base, '--base-url') }),
    ...(database !== undefined && { database: databaseUrl(database, '--database') }),
    ...(typeof botUrl === 'string' && { botUrl }),
    ...(typeof cooldown === 'number' && { cooldownMs: cooldown }),
    ...(typeof ca === 'string' && { ca: folderOf(ca, '--ca') }),
  };
}

function portOf(port: number): number {
  if (port <= 65_535) return port;
  throw new SettingRefusedError('--port', port, 'Give a whole number from 0 to 65535.');
}

function folderOf(path: unknown, option: string): string {
  if (typeof path === 'string' && path !== '') return resolve(path);
  throw new SettingRefusedError(option, '""', 'Name a path.');
}
