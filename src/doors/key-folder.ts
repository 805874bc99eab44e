import type { HubConfig } from '../hub/config/hub-config.ts';
import { makeHubFolder, openHubFolder } from './hub-folder.ts';
import type { KeyPlace } from './key-place.ts';
import { storedKeys } from './stored-keys.ts';

export interface KeyFolderOptions {
  readonly config: HubConfig;
  /** Only read. Possible beside a running hub. */
  readonly readonly: boolean;
  readonly now: () => number;
}

/** The API keys of a hub that is not running. If there is no hub, the first key creates it. */
export async function openKeyFolder({ config, readonly, now }: KeyFolderOptions): Promise<KeyPlace> {
  const store = await openHubFolder(config.data, readonly);
  const make = async () => {
    if (readonly) throw new Error('The keys were opened for reading.');
    return await makeHubFolder(config.data);
  };
  return storedKeys(store, { make, perMinute: config.limits, now });
}
