import type { Command } from 'commander';
import type { HttpOptions } from '../doors/open-http.ts';
import { cacheFolder, cacheOption } from './cache-folder.ts';
import { allowPrivateOption, botUrlOption, caOption, cooldownOption, isPrivateAllowed } from './option-values.ts';
import type { World } from './world.ts';

/** The options of every verb that reads pages from the web. */
export function addCrawlOptions(command: Command): Command {
  return command
    .addOption(cacheOption())
    .addOption(cooldownOption())
    .addOption(botUrlOption())
    .addOption(allowPrivateOption('allow private addresses, for local use'))
    .addOption(caOption());
}

/** What {@link addCrawlOptions} brought, as the doors take it. */
export function crawlOptionsOf(options: Readonly<Record<string, unknown>>, world: World): HttpOptions {
  const { cache, cooldown, botUrl, ca } = options;
  const cacheDir = cacheFolder(cache, world);
  return {
    allowPrivate: isPrivateAllowed(options.allowPrivate, world),
    ...(cacheDir !== undefined && { cacheDir }),
    ...(typeof cooldown === 'number' && { cooldownMs: cooldown }),
    ...(typeof botUrl === 'string' && { botUrl }),
    ...(typeof ca === 'string' && { ca }),
  };
}
