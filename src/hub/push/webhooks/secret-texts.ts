import { decodeWebhookSecret, encodeWebhookSecret, webhookPublicKey } from '../../../codecs/webhooks/secret.ts';
import type { StoredSecret } from './subscription.ts';

/** `v1`: a shared secret. `v1a`: a key pair, of which the receiver has the public half. */
export type SigningScheme = 'v1' | 'v1a';

const SECRET_BYTES = 32;

export function newSecretText(scheme: SigningScheme, random: (size: number) => Uint8Array): string {
  const bytes = random(SECRET_BYTES);
  return scheme === 'v1' ? encodeWebhookSecret(bytes) : `whsk_${Buffer.from(bytes).toString('base64')}`;
}

/** What a receiver needs to check signatures, shown once: the secret, or the public key. */
export interface ShownSecret {
  readonly secret?: string;
  readonly public_key?: string;
}

export function shownSecret({ secret }: StoredSecret): ShownSecret {
  const decoded = decodeWebhookSecret(secret);
  if (!decoded.ok) return {};
  const { value } = decoded;
  return value.scheme === 'v1' ? { secret } : { public_key: webhookPublicKey({ ...value, scheme: 'v1a' }) };
}

export function schemeOf({ secret }: StoredSecret): SigningScheme {
  return secret.startsWith('whsk_') ? 'v1a' : 'v1';
}
