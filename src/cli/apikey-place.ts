import type { KeyPlace } from '../doors/key-place.ts';
import { openHubClient } from './hub-client.ts';
import { readHubConfig } from './hub-config-options.ts';
import { sharedHubOf } from './shared-hub.ts';
import type { Options } from './verb.ts';
import type { World } from './world.ts';

/** The hub that `--hub` names, else the database, else the data folder. Who only reads can look beside a hub that runs. */
export async function openKeyPlace(options: Options, world: World, access: 'read' | 'write'): Promise<KeyPlace> {
  const config = readHubConfig(options, world);
  const url = sharedHubOf({ options, world, config, access });
  const client = await openHubClient(options, world);
  // Loaded when it is needed, or every verb would pay for it.
  if (client !== undefined) {
    const { createHubKeys } = await import('../doors/key-client.ts');
    return createHubKeys(client, String(options.hub));
  }
  if (url !== undefined) {
    const { openKeyDatabase } = await import('../doors/key-database.ts');
    return await openKeyDatabase({ url, access, config, now: Date.now });
  }
  const { openKeyFolder } = await import('../doors/key-folder.ts');
  return await openKeyFolder({ config, readonly: access === 'read', now: Date.now });
}
