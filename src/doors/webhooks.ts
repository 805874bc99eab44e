/** `tidings/webhooks`: receives webhooks and verifies that they are genuine (Standard Webhooks 1.0). Nothing is fetched. */

export type { Issue, Result } from '../codecs/primitives/result.ts';
export {
  decodeWebhookSecret,
  encodeWebhookSecret,
  type SigningSecret,
  webhookPublicKey,
} from '../codecs/webhooks/secret.ts';
export { signWebhook, type WebhookToSign } from '../codecs/webhooks/sign.ts';
export {
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
} from '../codecs/webhooks/verify.ts';
