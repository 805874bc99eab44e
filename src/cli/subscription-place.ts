import type { Command } from 'commander';
import type { HubSubscriptions } from '../doors/subscription-client.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { addHubAddressOption, openHubClient } from './hub-client.ts';
import { caOption } from './option-values.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

/** Where every `subscription` verb acts: only a hub that runs can tell anybody anything. */
export function addSubscriptionOptions(command: Command, printed: string): Command {
  return addHubAddressOption(command.option('--json', `print ${printed} as JSON`)).addOption(caOption());
}

export async function openSubscriptions(options: Options, world: World): Promise<HubSubscriptions> {
  const client = await openHubClient(options, world);
  if (client === undefined) {
    const remedy =
      'Subscriptions are those of a hub that runs. Start it (tidings serve), then give its address with --hub or TIDINGS_HUB, and its token in TIDINGS_TOKEN.';
    throw new SettingRefusedError('--hub', '(not given)', remedy);
  }
  // Loaded when it is needed, or every verb would pay for it.
  const { createHubSubscriptions } = await import('../doors/subscription-client.ts');
  return createHubSubscriptions(client, String(options.hub));
}
