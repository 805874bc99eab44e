import { type Decode, fieldsOf, wholeNumberIn } from './setting-decoders.ts';

/** How webhooks are delivered. */
export interface WebhookSettings {
  /** The maximum of subscriptions per API key; 0: none. Absent: 10. */
  readonly perKey?: number;
  /** The delay between the first and the second attempt; each further delay is four times as long. Absent: 5 s. */
  readonly firstRetryMs?: number;
}

/** `{ "perKey": 10, "firstRetryMs": 5000 }`. The first retry comes within 10 s. */
export const webhookSettings: Decode<WebhookSettings> = (value, at) =>
  fieldsOf({ perKey: wholeNumberIn(0, 10_000), firstRetryMs: wholeNumberIn(100, 8000) }, value, at);
