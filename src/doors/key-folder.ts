import type { HubConfig } from '../hub/config/hub-config.ts';
import { createKeyRing, type KeyRing } from '../hub/keys/key-ring.ts';
import { usageByOwner } from '../hub/keys/key-usage.ts';
import { issueKey, namedKey, revokeNamed } from '../hub/routes/key-admin-routes.ts';
import { viewKey } from '../hub/routes/key-view.ts';
import { viewAllUsage, viewUsage } from '../hub/routes/usage-view.ts';
import { randomApiKey } from '../io/node/random-api-key.ts';
import { makeHubFolder, openHubFolder } from './hub-folder.ts';
import type { KeyPlace } from './key-place.ts';

export interface KeyFolderOptions {
  readonly config: HubConfig;
  /** Only look: also beside a hub that runs. */
  readonly readonly: boolean;
  readonly now: () => number;
}

const NO_KEYS: Pick<KeyRing, 'named' | 'revoke'> = { named: () => [], revoke: async () => 'too-late' };

/** The API keys of a hub that does not run. Where there is none, the first key makes it. */
export async function openKeyFolder({ config, readonly, now }: KeyFolderOptions): Promise<KeyPlace> {
  let store = await openHubFolder(config.data, readonly);
  const ring = async () => {
    if (readonly) throw new Error('The keys were opened for reading.');
    store ??= await makeHubFolder(config.data);
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
      return await revokeNamed(key, store === undefined ? NO_KEYS : await ring(), now());
    },

    async usageOf(key) {
      const keys = store === undefined ? undefined : await createKeyRing(store.keys);
      const record = namedKey(key, keys ?? NO_KEYS);
      const counts = (await store?.keyUsage.usageOf(keys?.ownerOf(record) ?? '')) ?? [];
      return viewUsage(record, counts);
    },

    async allUsage() {
      if (store === undefined) return [];
      return viewAllUsage(await createKeyRing(store.keys), usageByOwner(await store.keyUsage.allUsage(), now()));
    },

    async [Symbol.asyncDispose]() {
      await store?.[Symbol.asyncDispose]();
    },
  };
}
