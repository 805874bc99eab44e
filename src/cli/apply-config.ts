import type { Command } from 'commander';
import { type Settings, type SurfaceSettings, settingsOf } from '../doors/settings.ts';
import type { ConfigFile } from './config-file.ts';
import { privateSaid } from './option-values.ts';
import type { World } from './world.ts';

/** Which option of a verb each key sets. The rest is for the hub alone. */
const OPTIONS: Readonly<Partial<Record<keyof Settings | keyof SurfaceSettings, string>>> = {
  site: 'site',
  dir: 'dir',
  key: 'key',
  botUrl: 'botUrl',
  cooldownMs: 'cooldown',
  cache: 'cache',
  ca: 'ca',
  logKey: 'logKey',
  allowPrivate: 'allowPrivate',
  allowUnsandboxedBrowser: 'allowUnsandboxedBrowser',
};

/** Gives a command the settings of the file, unless a flag or variable overrides them. Every verb refuses a wrong key, even one that it does not use. */
export function applyConfig(command: Command, config: ConfigFile, world: World): Settings {
  const known = command.options.map((option) => option.attributeName());
  // A command without this option makes no requests, so no interval is too short for it.
  const allowPrivate = known.includes('allowPrivate') ? privateSaid(command.opts().allowPrivate, world) : true;
  const context = { base: config.folder, file: config.file, allowPrivate };
  const decoded = settingsOf(config.value, context);
  const { surface, ...rest } = decoded;
  // A verb that signs is about the surface, which may be that of another site. The key of IndexNow signs nothing.
  const isSigning = known.includes('key') && !known.includes('indexnow');
  const settings: Readonly<Record<string, unknown>> = isSigning ? { ...rest, ...surface } : rest;
  for (const [key, option] of Object.entries(OPTIONS)) {
    const isSaid = option === 'allowPrivate' ? allowPrivate !== undefined : isGiven(command, option);
    if (settings[key] === undefined || isSaid || !known.includes(option)) continue;
    command.setOptionValueWithSource(option, settings[key], 'config');
  }
  return decoded;
}

function isGiven(command: Command, option: string): boolean {
  const source = command.getOptionValueSource(option);
  return source !== undefined && source !== 'default';
}
