import { timingSafeEqual, verify } from 'node:crypto';
import { decodeBase64 } from '../primitives/base64.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeWebhookKey, type WebhookKey } from './secret.ts';
import { hmacOf, isWebhookId, signedContent } from './sign.ts';

export interface VerifyWebhookOptions {
  /** The headers of the request: Node's `request.headers`, or a `Headers`. */
  readonly headers: WebhookHeaders;
  /** The raw body, before any parsing. */
  readonly body: string | Uint8Array;
  /** The secrets that you trust: `whsec_…` or `whpk_…`. Give two during a rotation. */
  readonly secrets: readonly string[];
  readonly now: Date;
  /** How old, or how far in the future, an attempt may be. Default: 300. */
  readonly toleranceSeconds?: number;
}

export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

/** A delivery whose signature is valid. */
export interface VerifiedWebhook {
  /** The same in every attempt. Remember it as long as deliveries are retried (four days), and ignore a delivery with a known id. */
  readonly id: string;
  readonly sentAt: Date;
}

const TOLERANCE_SECONDS = 300;
/** Enough for two secrets, two schemes, and future schemes. */
const MOST_ENTRIES = 16;

/**
 * Verifies that a holder of one of your secrets sent this delivery, recently. A refusal names the broken clause; answer it with 401.
 *
 * @example
 * const body = await buffer(request);
 * const verified = verifyWebhook({ headers: request.headers, body, secrets: ['whsec_…'], now: new Date() });
 * if (!verified.ok) return response.writeHead(401).end(verified.issues[0].message);
 * const event = JSON.parse(body.toString());
 * response.end(event.type === 'subscription.verify' ? event.data.challenge : '');
 */
export function verifyWebhook(options: VerifyWebhookOptions): Result<VerifiedWebhook> {
  const keys: WebhookKey[] = [];
  for (const secret of options.secrets) {
    const key = decodeWebhookKey(secret);
    if (!key.ok) return key;
    keys.push(key.value);
  }

  const id = headerOf(options.headers, 'webhook-id');
  if (id === undefined || !isWebhookId(id)) return refuse('SW-H1', 'There is no webhook-id, or more than one.');
  const timestamp = headerOf(options.headers, 'webhook-timestamp');
  if (timestamp === undefined || !/^[0-9]{1,12}$/.test(timestamp)) {
    return refuse('SW-V2', 'There is no webhook-timestamp in whole seconds, or more than one.');
  }
  const aheadSeconds = Number(timestamp) - options.now.getTime() / 1000;
  if (!(Math.abs(aheadSeconds) <= (options.toleranceSeconds ?? TOLERANCE_SECONDS))) {
    return refuse(
      'SW-V2',
      `It was sent ${Math.round(Math.abs(aheadSeconds))} s ${aheadSeconds > 0 ? 'from now' : 'ago'}.`,
    );
  }
  const entries = headerOf(options.headers, 'webhook-signature');
  if (entries === undefined || /,\s/.test(entries)) {
    return refuse('SW-H1', 'There is no webhook-signature, or more than one.');
  }

  const content = signedContent(id, timestamp, options.body);
  const isSigned = entries.split(' ', MOST_ENTRIES).some((entry) => keys.some((key) => fits(entry, key, content)));
  if (!isSigned) return refuse('SW-R2', 'No entry of webhook-signature is of a secret that is trusted here.');
  return accept({ id, sentAt: new Date(Number(timestamp) * 1000) });
}

/** An entry counts only for a key of the same scheme, so an entry of an unknown scheme fits no key. */
function fits(entry: string, key: WebhookKey, content: Uint8Array): boolean {
  if (!entry.startsWith(`${key.scheme},`)) return false;
  const signature = decodeBase64(entry.slice(key.scheme.length + 1));
  if (signature === undefined) return false;
  if (key.scheme === 'v1a') return verify(null, content, key.key, signature);
  const expected = hmacOf(key.key, content);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

/** Undefined if the header is missing or repeated. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isFetched(headers)) return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([own, value]) => (own.toLowerCase() === name ? (value ?? []) : []));
  return values.length === 1 ? values[0] : undefined;
}

function isFetched(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
