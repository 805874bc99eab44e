import type { HubConfig } from '../hub/config/hub-config.ts';
import { createKeyRing, type KeyRing } from '../hub/keys/key-ring.ts';
import { usageByOwner } from '../hub/keys/key-usage.ts';
import { issueKey, namedKey, revokeNamed } from '../hub/routes/key-admin-routes.ts';
import { viewKey } from '../hub/routes/key-view.ts';
import { viewAllUsage, viewUsage } from '../hub/routes/usage-view.ts';
import { randomApiKey } from '../io/node/random-api-key.ts';
import type { WholeHubStore } from '../io/sqlite/whole-hub-store.ts';
import type { KeyPlace } from './key-place.ts';

export interface StoredKeysOptions {
  /** Creates the store if there is none. */
  readonly make: () => Promise<KeyStore>;
  readonly perMinute: HubConfig['limits'];
  readonly now: () => number;
}

const NO_KEYS: Pick<KeyRing, 'named' | 'revoke'> = { named: () => [], revoke: async () => 'too-late' };

type KeyStore = Pick<WholeHubStore, 'keys' | 'keyUsage'> & AsyncDisposable;

/** Stored API keys, without a running hub. */
export function storedKeys(found: KeyStore | undefined, { make, perMinute, now }: StoredKeysOptions): KeyPlace {
  let store = found;
  const ring = async () => {
    store ??= await make();
    return await createKeyRing(store.keys);
  };
  return {
    async issue(wish) {
      return await issueKey(wish, { keys: await ring(), makeKey: randomApiKey, perMinute, now });
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
