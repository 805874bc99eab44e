import {
  AddressRefusedError,
  DeadlineError,
  FetchAbortedError,
  FetchError,
  RedirectRefusedError,
} from '../../errors/fetch-error.ts';
import { PaymentError } from '../../errors/payment-error.ts';
import type { Recovery } from '../../errors/tidings-error.ts';

/** What the SDK's errors have in common. All of it may come from the network. */
interface StripeFailure {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly message?: unknown;
  readonly detail?: unknown;
  readonly exception?: unknown;
}

/** https://docs.stripe.com/keys: secret and restricted keys, and the secrets that sign webhooks. */
const SECRETS = /\b(?:[sr]k_(?:live|test)_|whsec_)[\w*]*/g;
const MAX_MESSAGE_LENGTH = 200;

/** Stripe says so of an id that it does not know, or that is another account's. */
export function isMissing(error: unknown): boolean {
  const { code, statusCode } = failureOf(error);
  return statusCode === 404 && code === 'resource_missing';
}

/**
 * What went wrong, in words that are safe for a log: without a key or a URL, which would contain the id of a session. The SDK's error is not kept as the
 * cause, because it carries the whole answer.
 */
export function paymentErrorOf(error: unknown, secrets: readonly string[]): PaymentError {
  if (error instanceof PaymentError) return error;
  const failure = failureOf(error);
  const fetchError = [error, failure.detail].find((reason) => reason instanceof FetchError);
  if (fetchError !== undefined) return unreachable(fetchError, secrets);
  const said = quotable(failure.message, secrets);
  const status = typeof failure.statusCode === 'number' ? ` (HTTP ${failure.statusCode})` : '';
  const [what, recovery] = explanationOf(failure.type);
  return new PaymentError(`${what}${status}${said === '' ? '.' : `: ${said}`}`, { recovery });
}

function explanationOf(type: unknown): readonly [string, Recovery] {
  switch (type) {
    case 'StripeAuthenticationError':
      return ['it does not accept the secret key', 'fix-config'];
    case 'StripePermissionError':
      return ['the secret key may not do this', 'fix-config'];
    case 'StripeInvalidRequestError':
      return ['it refuses what it was asked', 'fix-config'];
    case 'StripeRateLimitError':
      return ['it was asked too often', 'retry-later'];
    case 'StripeConnectionError':
      return ['it was not reached', 'retry-later'];
    default:
      return ['its answer is an error', 'retry-later'];
  }
}

function unreachable(error: FetchError, secrets: readonly string[]): PaymentError {
  if (error instanceof AddressRefusedError) return new PaymentError(error.message, { recovery: 'fix-config' });
  if (error instanceof RedirectRefusedError) {
    return new PaymentError('it redirects, which the API does not do.', { recovery: 'fix-config' });
  }
  if (error instanceof DeadlineError || error instanceof FetchAbortedError) {
    return new PaymentError('it did not answer in time.');
  }
  const reason = error.cause instanceof Error ? error.cause.message : error.cause;
  return new PaymentError(`${error.url.host} gave no answer that can be used: ${quotable(reason, secrets)}`);
}

/** The provider's own words on one line. A provider that repeats a key does not bring it into a log. */
function quotable(message: unknown, secrets: readonly string[]): string {
  if (typeof message !== 'string') return '';
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message).replace(SECRETS, '…');
  return hidden
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE_LENGTH);
}

function failureOf(error: unknown): StripeFailure {
  return typeof error === 'object' && error !== null ? error : {};
}
