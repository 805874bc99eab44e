import { HubAnswerError } from '../errors/hub-answer-error.ts';
import { hashApiKey, isApiKey } from '../hub/keys/api-key.ts';
import type { KeyView, NewKey } from '../hub/routes/key-view.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import type { KeyPlace } from './apikey-place.ts';

const KEYS = 'api/v1/keys';

/** The API keys of a hub that runs. */
export function createHubKeys(client: HubClient, hub: string): KeyPlace {
  /** The hub is ours; what answers in its place may be anything. */
  const answered = <T>(value: unknown, key: string): T => {
    if (typeof value === 'object' && value !== null && key in value) return value as T;
    throw new HubAnswerError(hub, 200, { detail: `The answer has no "${key}". Is this the address of a hub?` });
  };
  return {
    async issue(body) {
      return answered<NewKey & KeyView>(await client.ask({ method: 'POST', path: KEYS, body }), 'key');
    },

    async list() {
      return answered<{ keys: readonly KeyView[] }>(await client.ask({ method: 'GET', path: KEYS }), 'keys').keys;
    },

    async revoke(key) {
      // A key never stands in a URL: those are logged on the way.
      const name = isApiKey(key) ? hashApiKey(key) : key;
      return answered<KeyView>(
        await client.ask({ method: 'DELETE', path: `${KEYS}/${encodeURIComponent(name)}` }),
        'prefix',
      );
    },

    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
