import { type Decode, objectOf, placeOf, refused, text } from './setting-decoders.ts';

/** A subscriber that is named in the settings of the hub. */
export interface SubscriptionEntry {
  /** Identifies it at the next start: its name, else its address. */
  readonly name: string;
  /** Absolute. The file holds only the secret. */
  readonly secretFile?: string;
  /** The body of `POST /api/v1/subscriptions`, not decoded. */
  readonly wish: Readonly<Record<string, unknown>>;
}

const MOST_NAME = 100;
const MOST_URL = 2048;

/**
 * `[{ "name": "search", "url": "https://app.example/hooks", "filter": { "source": "docs" }, "secretFile": "./search.secret" }]`
 *
 * Everything besides the name and the secret is decoded later, when the subscription is made.
 */
export function subscriptionEntry(path: Decode<string>): Decode<SubscriptionEntry> {
  return (value, at) => {
    const { name, secretFile, ...wish } = objectOf(value, at);
    if ('secret' in wish) {
      throw refused(
        placeOf(at, 'secret'),
        '(a secret)',
        'Put it into a file that nobody else may read, and name that as secretFile.',
      );
    }
    const url = text(MOST_URL)(wish.url, placeOf(at, 'url'));
    return {
      name: name === undefined ? url : text(MOST_NAME)(name, placeOf(at, 'name')),
      ...(secretFile !== undefined && { secretFile: path(secretFile, placeOf(at, 'secretFile')) }),
      wish,
    };
  };
}
