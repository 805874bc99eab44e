import { CodedError } from './coded-error.ts';

/** The index over the log cannot be used now. Nothing of the log is lost by it. */
export function catalogueUnavailableError(cause: unknown): CodedError {
  const message = 'The index over the log cannot be used now; the hub makes it again by itself. Try again in a minute.';
  return new CodedError('CatalogueUnavailableError', 'retry-later', message, { cause });
}
