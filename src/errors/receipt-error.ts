import { CodedError } from './coded-error.ts';

/** A place cannot give the requested proof. */
export function noReceiptError(place: string, reason: string): CodedError {
  return new CodedError('NoReceiptError', 'fix-input', `${place} gives no receipt: ${reason}`, { place });
}

/** The change is in the log, but no checkpoint covers it yet. */
export function receiptPendingError(id: string): CodedError {
  const message = `The change ${id} is in the log, and no signed checkpoint covers it yet. Try again in some seconds.`;
  return new CodedError('ReceiptPendingError', 'retry-later', message, { id });
}
