import { type Recovery, TidingsError } from './tidings-error.ts';

/** A running hub did not do what it was asked. The message is the hub's, if it gave one. */
export class HubAnswerError extends TidingsError {
  override readonly name = 'HubAnswerError';
  readonly recovery: Recovery;
  readonly url: string;
  readonly status: number;
  /** The permanent name of the error in the hub, if it gave one. */
  readonly code: string | undefined;

  constructor(url: string, status: number, { detail, code }: { readonly detail?: string; readonly code?: string }) {
    super(`${url}: ${explain(status, detail)}`);
    this.url = url;
    this.status = status;
    this.code = code;
    this.recovery = recoveryOf(status, code);
  }
}

function explain(status: number, detail: string | undefined): string {
  if (status === 401)
    return 'The token is missing or wrong. Set TIDINGS_TOKEN or TIDINGS_TOKEN_FILE to that of the hub.';
  return detail ?? `The hub answered with status ${status}. Is this the address of a hub?`;
}

const FOR_INPUT = [
  ...['SourceExistsError', 'SourceUnknownError', 'ApiKeyUnknownError', 'ApiKeyAmbiguousError'],
  ...['SubscriptionUnknownError', 'SubscriptionStandingError', 'SubscriptionQuotaError'],
];

function recoveryOf(status: number, code: string | undefined): Recovery {
  if (code !== undefined && FOR_INPUT.includes(code)) return 'fix-input';
  return status >= 500 || status === 429 || status === 408 ? 'retry-later' : 'fix-config';
}
