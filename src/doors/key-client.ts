import { hashApiKey, isApiKey } from '../hub/keys/api-key.ts';
import type { KeyView, NewKey } from '../hub/routes/key-view.ts';
import type { KeyUsageView, UsageView } from '../hub/routes/usage-view.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { hubAnswer } from './hub-answer.ts';
import type { KeyPlace } from './key-place.ts';

const KEYS = 'api/v1/keys';

/** The API keys of a running hub. */
export function createHubKeys(client: HubClient, hub: string): KeyPlace {
  return {
    async issue(body) {
      return hubAnswer<NewKey & KeyView>(await client.ask({ method: 'POST', path: KEYS, body }), 'key', hub);
    },

    async list() {
      const answer = await client.ask({ method: 'GET', path: KEYS });
      return hubAnswer<{ keys: readonly KeyView[] }>(answer, 'keys', hub).keys;
    },

    async revoke(key) {
      const answer = await client.ask({ method: 'DELETE', path: pathOf(key) });
      return hubAnswer<KeyView>(answer, 'prefix', hub);
    },

    async usageOf(key) {
      const answer = await client.ask({ method: 'GET', path: `${pathOf(key)}/usage` });
      return hubAnswer<UsageView>(answer, 'days', hub);
    },

    async allUsage() {
      const answer = await client.ask({ method: 'GET', path: `${KEYS}/usage` });
      return hubAnswer<{ keys: readonly KeyUsageView[] }>(answer, 'keys', hub).keys;
    },

    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

/** A key never appears in a URL, because proxies log URLs. */
function pathOf(key: string): string {
  return `${KEYS}/${encodeURIComponent(isApiKey(key) ? hashApiKey(key) : key)}`;
}
