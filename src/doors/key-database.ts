import type { HubConfig } from '../hub/config/hub-config.ts';
import type { KeyPlace } from './key-place.ts';
import { openSharedHub, type SharedHubOptions } from './shared-hub.ts';
import { storedKeys } from './stored-keys.ts';

export interface KeyDatabaseOptions extends SharedHubOptions {
  readonly config: HubConfig;
  readonly now: () => number;
}

/** The API keys of a hub in a database. Every process of the hub is notified of changes. */
export async function openKeyDatabase({ config, now, ...options }: KeyDatabaseOptions): Promise<KeyPlace> {
  const { store, [Symbol.asyncDispose]: close } = await openSharedHub(options);
  const keys = storedKeys(store, { make: async () => store, perMinute: config.limits, now });
  return { ...keys, [Symbol.asyncDispose]: close };
}
