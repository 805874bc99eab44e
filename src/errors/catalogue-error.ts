import { CodedError } from './coded-error.ts';

/** The index over the log cannot be used now. The log itself is complete. */
export function catalogueUnavailableError(cause: unknown): CodedError {
  const message = 'The index over the log cannot be used now; the hub makes it again by itself. Try again in a minute.';
  return new CodedError('CatalogueUnavailableError', 'retry-later', message, { cause });
}
