import { type Command, Option } from 'commander';
import type { SurfaceReport, SurfaceTarget } from '../doors/surface.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

/** Where every verb acts that writes the feed of an origin. */
export function addSurfaceOptions(command: Command): Command {
  return command
    .option('--dir <dir>', 'the folder served as the site (files go to its .well-known)')
    .addOption(new Option('--site <url>', 'the origin of the API, like https://api.example/').env('TIDINGS_SITE'))
    .option('--key <file>', 'the signing key, made with tidings keys new')
    .option('--config <file>', 'read dir, site and key from the "surface" settings in this file')
    .option('--force', 'continue where a mistake is likely, such as a private address or a feed that has ended')
    .option('--json', 'print what was done as JSON');
}

/** Every one of the three is needed, from a flag or from the settings. */
export function targetOf(options: Options): SurfaceTarget {
  return {
    dir: needed(options, 'dir', 'Name the folder that is served as the site.'),
    site: needed(options, 'site', 'Give the origin of the API, like https://api.example/'),
    key: needed(options, 'key', 'Name the key file; make one with: tidings keys new --key key.json'),
    ...(options.force === true && { force: true }),
  };
}

export function needed(options: Options, name: string, remedy: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SettingRefusedError(optionName(name), value === '' ? '""' : '(not given)', remedy);
}

export function optional(options: Options, name: string): string | undefined {
  const value = options[name];
  if (value === '') throw new SettingRefusedError(optionName(name), '""', 'Give a value, or leave the option out.');
  return typeof value === 'string' ? value : undefined;
}

function optionName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The same last lines of every verb that writes a feed. */
export async function printReport(
  report: SurfaceReport,
  { json, what }: { readonly json: unknown; readonly what: string },
  world: World,
): Promise<void> {
  for (const warning of report.warnings) world.complain(`tidings: ${warning}`);
  if (json === true) return await world.print(JSON.stringify(report));
  const { entryId, feedStatus, entries, written } = report;
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  await world.print(entryId === undefined ? what : `${entryId}: ${what}`);
  await world.print(`The feed is ${feedStatus} and holds ${count}.`);
  for (const file of written) await world.print(`wrote ${file}`);
}
