/**
 * A request to a hub, as a form:
 *
 *     hub.mode=subscribe&hub.topic=https%3A%2F%2Fhub.example%2Fchanges.atom&hub.callback=https%3A%2F%2Freader.example%2Fcb%2F7d1d&hub.secret=topsecret
 *
 * Spec: https://www.w3.org/TR/websub/#subscriber-sends-subscription-request. `hub.mode=publish` is a convention of hubs; the specification leaves it open.
 */
import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeForm, type FormFields } from './form.ts';
import { decodeCallback, decodeHubUrl } from './hub-url.ts';
import { HUB_SIGNATURE_METHODS, type HubSignatureMethod } from './signature.ts';

/** The request of a subscriber. URLs are unchanged. */
export interface SubscriptionRequest {
  readonly mode: 'subscribe' | 'unsubscribe';
  readonly topic: string;
  readonly callback: string;
  /** The signature method for deliveries. This parameter is ours, not part of WebSub. */
  readonly method?: HubSignatureMethod;
  /** The requested lease, not the granted one. */
  readonly leaseSeconds?: number;
  readonly secret?: string;
  /** From earlier versions of the protocol: sent back with the challenge. */
  readonly verifyToken?: string;
}

/** Reports that these URLs have changed. */
export interface PublishRequest {
  readonly mode: 'publish';
  readonly urls: readonly string[];
}

export type DecodedHubRequest = SubscriptionRequest | PublishRequest;

/** The media type of every request to a hub. Its parameters are ignored. */
export const HUB_FORM_TYPE = 'application/x-www-form-urlencoded';

const SECRET_BYTES = 199;
const MOST_URLS = 1000;
const TOKEN_CHARACTERS = 1000;

/** Refusals are written for the developer of the other side. Unknown fields are ignored. */
export function decodeHubRequest(body: Uint8Array): Result<DecodedHubRequest> {
  const fields = decodeForm(body);
  if (!fields.ok) return fields;
  const mode = single(fields.value, 'hub.mode');
  if (!mode.ok) return mode;
  switch (mode.value) {
    case 'publish':
      return decodePublish(fields.value);
    case 'subscribe':
    case 'unsubscribe':
      return decodeSubscription(mode.value, fields.value);
    case undefined:
      return refuse('WS-R2', missingMode(fields.value));
    default:
      return refuse('WS-R2', 'hub.mode must be subscribe, unsubscribe or publish, in lower case.');
  }
}

function decodeSubscription(mode: SubscriptionRequest['mode'], fields: FormFields): Result<SubscriptionRequest> {
  const topic = required(fields, 'hub.topic');
  if (!topic.ok) return topic;
  const callback = required(fields, 'hub.callback');
  if (!callback.ok) return callback;
  for (const url of [decodeHubUrl(topic.value, 'hub.topic'), decodeCallback(callback.value)]) if (!url.ok) return url;
  const token = single(fields, 'hub.verify_token');
  if (!token.ok) return token;
  if ((token.value?.length ?? 0) > TOKEN_CHARACTERS) return refuse('WS-R9', 'hub.verify_token is too long.');
  const wish = {
    mode,
    topic: topic.value,
    callback: callback.value,
    ...(token.value !== undefined && { verifyToken: token.value }),
  };
  if (mode === 'unsubscribe') return accept(wish);
  const terms = decodeTerms(fields);
  return terms.ok ? accept({ ...wish, ...terms.value }) : terms;
}

type Terms = Pick<SubscriptionRequest, 'leaseSeconds' | 'secret' | 'method'>;

/** The fields that only a subscription has. */
function decodeTerms(fields: FormFields): Result<Terms> {
  const lease = single(fields, 'hub.lease_seconds');
  if (!lease.ok) return lease;
  const leaseSeconds = lease.value === undefined ? undefined : Number(lease.value);
  if (lease.value !== undefined && !(/^\d+$/.test(lease.value) && Number(lease.value) > 0)) {
    return refuse('WS-R4', 'hub.lease_seconds must be a positive decimal number of seconds.');
  }
  const secret = single(fields, 'hub.secret');
  if (!secret.ok) return secret;
  if (secret.value === '') return refuse('WS-R7', 'hub.secret must not be empty; leave it out to have none.');
  if (new TextEncoder().encode(secret.value ?? '').length > SECRET_BYTES) {
    return refuse('WS-R7', 'hub.secret must be shorter than 200 bytes.');
  }
  const wanted = single(fields, 'hub.signature_method');
  if (!wanted.ok) return wanted;
  const method = HUB_SIGNATURE_METHODS.find((known) => known === wanted.value);
  if (wanted.value !== undefined && method === undefined) {
    return refuse('WS-S2', `hub.signature_method must be one of ${HUB_SIGNATURE_METHODS.join(', ')}.`);
  }
  return accept({
    ...(leaseSeconds !== undefined && { leaseSeconds }),
    ...(secret.value !== undefined && { secret: secret.value }),
    ...(method !== undefined && { method }),
  });
}

/** Hubs use different names, so publishers send both. */
function decodePublish(fields: FormFields): Result<PublishRequest> {
  const values = fields.filter(([name]) => name === 'hub.url' || name === 'hub.topic').map(([, value]) => value);
  const urls = [...new Set(values)];
  if (urls.length === 0) return refuse('WS-P1', 'hub.url is missing: name what has changed, once for each URL.');
  if (urls.length > MOST_URLS) return refuse('WS-P1', `No more than ${MOST_URLS} URLs are taken at once.`);
  for (const text of urls) {
    const url = decodeHubUrl(text, 'hub.url');
    if (!url.ok) return url;
  }
  return accept({ mode: 'publish', urls });
}

function required(fields: FormFields, name: string): Result<string> {
  const found = single(fields, name);
  if (!found.ok) return found;
  return found.value ? accept(found.value) : refuse('WS-R2', `${name} is missing.`);
}

/** Refuses a repeated field, because it is unclear which value is meant. */
function single(fields: FormFields, name: string): Result<string | undefined> {
  const values = fields.filter(([given]) => given === name);
  if (values.length > 1) return refuse('WS-R2', `${name} stands there ${values.length} times.`);
  return accept(values[0]?.[1]);
}

function missingMode(fields: FormFields): string {
  if (fields.length === 0)
    return 'hub.mode is missing. Parameters belong into the body, not into the query of the URL.';
  const isRenamed = fields.some(([name]) => name === 'hub_mode');
  return isRenamed ? 'hub.mode is missing. It is written with a dot, not as hub_mode.' : 'hub.mode is missing.';
}
