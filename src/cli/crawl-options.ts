import { type Command, Option } from 'commander';
import type { HttpOptions } from '../doors/open-http.ts';
import { cacheFolder, cacheOption } from './cache-folder.ts';
import { allowPrivateOption, isPrivateAllowed, wholeNumber } from './option-values.ts';
import type { World } from './world.ts';

/** The options of every verb that reads pages from the web. */
export function addCrawlOptions(command: Command): Command {
  return command
    .addOption(cacheOption())
    .addOption(
      new Option('--cooldown <ms>', 'pause between two pages of a host; below 2000 for private addresses only')
        .env('TIDINGS_COOLDOWN')
        .argParser(wholeNumber(0)),
    )
    .addOption(
      new Option('--bot-url <url>', 'a page about who runs this; it stands in the User-Agent').env('TIDINGS_BOT_URL'),
    )
    .addOption(allowPrivateOption('reach private addresses too: for local work'))
    .addOption(new Option('--ca <file>', 'trust this certificate authority too').env('TIDINGS_CA'));
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
