import { HubRunningError } from '../errors/hub-running-error.ts';
import { LogLockedError } from '../errors/log-locked-error.ts';
import { LogMissingError } from '../errors/log-missing-error.ts';
import type { HubConfig } from '../hub/hub-config.ts';
import { createKeyRing } from '../hub/keys/key-ring.ts';
import { issueKey, revokeNamed } from '../hub/serve/key-admin-routes.ts';
import { viewKey } from '../hub/serve/key-view.ts';
import { randomApiKey } from '../io/random-api-key.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite-hub-store.ts';
import type { KeyPlace } from './apikey-place.ts';

export interface KeyFolderOptions {
  readonly config: HubConfig;
  /** Only look: also beside a hub that runs. */
  readonly readonly: boolean;
  readonly now: () => number;
}

/** The API keys of a hub that does not run. */
export async function openKeyFolder({ config, readonly, now }: KeyFolderOptions): Promise<KeyPlace> {
  const store = await openStore(config.data, readonly);
  const ring = async () => {
    if (store === undefined || readonly) throw new Error('The keys were opened for reading.');
    return await createKeyRing(store.keys);
  };
  return {
    async issue(wish) {
      return await issueKey(wish, { keys: await ring(), makeKey: randomApiKey, perMinute: config.limits, now });
    },

    async list() {
      return ((await store?.keys.apiKeys()) ?? []).map(viewKey);
    },

    async revoke(key) {
      return await revokeNamed(key, await ring(), now());
    },

    async [Symbol.asyncDispose]() {
      await store?.[Symbol.asyncDispose]();
    },
  };
}

/** Undefined where there is nothing to read yet. */
async function openStore(folder: string, readonly: boolean): Promise<SqliteHubStore | undefined> {
  try {
    return await openSqliteHubStore({ folder, readonly });
  } catch (error) {
    if (readonly && error instanceof LogMissingError) return undefined;
    throw error instanceof LogLockedError ? new HubRunningError(folder, error) : error;
  }
}
