import type { Command } from 'commander';
import type { HubSubscriptions } from '../doors/subscription-client.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { addHubAddressOption, openHubClient } from './hub-client.ts';
import { databaseOption, readHubConfig } from './hub-config-options.ts';
import { allowPrivateOption, caOption } from './option-values.ts';
import { sharedHubOf } from './shared-hub.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

/** Where every `subscription` verb acts: a hub that runs, or the database of one. */
export function addSubscriptionOptions(command: Command, printed: string): Command {
  return addHubAddressOption(command.option('--json', `print ${printed} as JSON`))
    .addOption(databaseOption())
    .option('--config <file>', 'with a database: settings of the hub (default: ./tidings.config.json, if it exists)')
    .addOption(allowPrivateOption('with a database: allow private addresses, for local use'))
    .addOption(caOption());
}

export async function openSubscriptions(
  options: Options,
  world: World,
  access: 'read' | 'write' = 'write',
): Promise<HubSubscriptions> {
  const config = readHubConfig(options, world);
  const url = sharedHubOf({ options, world, config, access });
  // Loaded when they are needed, or every verb would pay for them.
  if (url !== undefined) {
    const { openSubscriptionDatabase } = await import('../doors/subscription-database.ts');
    return await openSubscriptionDatabase({ url, access, config, signal: world.signal });
  }
  const client = await openHubClient(options, world);
  if (client === undefined) {
    const remedy =
      'Subscriptions are those of a hub that runs, or of one in a database. Start it (tidings serve), then give its address with --hub or TIDINGS_HUB, and its token in TIDINGS_TOKEN; or name its --database.';
    throw new SettingRefusedError('--hub', '(not given)', remedy);
  }
  const { createHubSubscriptions } = await import('../doors/subscription-client.ts');
  return createHubSubscriptions(client, String(options.hub));
}
