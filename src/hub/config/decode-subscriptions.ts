import { type Decode, objectOf, placeOf, refused, text } from './setting-decoders.ts';

/** Somebody whom a hub tells because its settings say so. */
export interface SubscriptionEntry {
  /** By which it is known again at the next start: its name, else its address. */
  readonly name: string;
  /** Absolute. It holds the secret and nothing else. */
  readonly secretFile?: string;
  /** What `POST /api/v1/subscriptions` takes, not decoded. */
  readonly wish: Readonly<Record<string, unknown>>;
}

const MOST_NAME = 100;
const MOST_URL = 2048;

/**
 * `[{ "name": "search", "url": "https://app.example/hooks", "filter": { "source": "docs" }, "secretFile": "./search.secret" }]`
 *
 * What is said of each beside its name and secret is decoded by who makes it a subscription.
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
