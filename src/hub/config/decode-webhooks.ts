import { type Decode, fieldsOf, wholeNumberIn } from './setting-decoders.ts';

/** How those are told who subscribed. */
export interface WebhookSettings {
  /** So many subscriptions may an API key have; 0: none. Absent: 10. */
  readonly perKey?: number;
  /** How long after the first attempt the second one comes; each wait is four times the one before. Absent: 5 s. */
  readonly firstRetryMs?: number;
}

/** `{ "perKey": 10, "firstRetryMs": 5000 }`. The first retry comes within 10 s. */
export const webhookSettings: Decode<WebhookSettings> = (value, at) =>
  fieldsOf({ perKey: wholeNumberIn(0, 10_000), firstRetryMs: wholeNumberIn(100, 8000) }, value, at);
