import type { WebSubHubSettings } from './hub-config.ts';
import { webUrl } from './setting-addresses.ts';
import { type Decode, fieldsOf, flag, wholeNumberIn } from './setting-decoders.ts';

const MOST_SUBSCRIPTIONS = 1_000_000;
const MOST_REQUESTS = 1_000_000;
const MEGABYTE = 1024 * 1024;

/** How others subscribe to feeds: `{ "subscriptions": 10000, "requestsPerMinute": 60 }`. */
export const websubHubSettings: Decode<WebSubHubSettings> = (value, at) =>
  fieldsOf(
    {
      enabled: flag,
      successor: webUrl,
      subscriptions: wholeNumberIn(0, MOST_SUBSCRIPTIONS),
      subscriptionsPerHost: wholeNumberIn(1, MOST_SUBSCRIPTIONS),
      requestsPerMinute: wholeNumberIn(1, MOST_REQUESTS),
      documentBytes: wholeNumberIn(1024, 256 * MEGABYTE),
    },
    value,
    at,
  );
