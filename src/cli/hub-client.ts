import { type Command, Option } from 'commander';
import { baseUrl } from '../doors/setting-values.ts';
import { readAuthority } from '../io/files/authority.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { hubTokenOf } from './secret.ts';
import type { World } from './world.ts';

/** For verbs that can act through a hub that runs. */
export function addHubAddressOption(command: Command): Command {
  return command.addOption(
    new Option('--hub <url>', 'use the hub running at this URL, with the token from TIDINGS_TOKEN[_FILE]').env(
      'TIDINGS_HUB',
    ),
  );
}

/** The hub that `--hub` names; undefined if none is named. */
export async function openHubClient(
  options: Readonly<Record<string, unknown>>,
  world: World,
): Promise<HubClient | undefined> {
  const { hub, ca } = options;
  if (hub === undefined) return undefined;
  const address = baseUrl(hub, '--hub');
  const token = hubTokenOf(world);
  // Loaded when it is needed: it costs more CPU than most of what a verb does.
  const { createHubClient } = await import('../io/undici/hub-client.ts');
  return createHubClient({
    hub: address,
    signal: world.signal,
    ...(token !== undefined && { token }),
    ...(typeof ca === 'string' && { ca: await readAuthority(ca) }),
  });
}
