import type { KeyView, NewKey } from '../hub/routes/key-view.ts';
import { openHubClient } from './hub-client.ts';
import { readHubConfig } from './hub-config-options.ts';
import type { Options } from './source-options.ts';
import type { World } from './world.ts';

/** What a new key is asked for with. */
export interface KeyWish {
  readonly tier: string;
  readonly label?: string;
}

/** Where API keys are kept: a hub that runs, or the data folder of one that does not. */
export interface KeyPlace extends AsyncDisposable {
  /** The only time that the key itself is seen. */
  issue(wish: KeyWish): Promise<NewKey & KeyView>;
  /** In order of creation, those that count no more included. */
  list(): Promise<readonly KeyView[]>;
  /** By how it begins, its hash, or the key itself. */
  revoke(key: string): Promise<KeyView>;
}

/** The hub that `--hub` names, else the data folder. Who only reads can look beside a hub that runs. */
export async function openKeyPlace(options: Options, world: World, access: 'read' | 'write'): Promise<KeyPlace> {
  const config = readHubConfig(options, world);
  const client = await openHubClient(options, world);
  // Loaded when it is needed, or every verb would pay for it.
  if (client !== undefined) {
    const { createHubKeys } = await import('./apikey-hub.ts');
    return createHubKeys(client, String(options.hub));
  }
  const { openKeyFolder } = await import('./apikey-folder.ts');
  return await openKeyFolder({ config, readonly: access === 'read', now: Date.now });
}
