import { FeedUnreadableError } from '../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError, FetchAbortedError } from '../errors/fetch-error.ts';
import { HarvestError } from '../errors/harvest-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { FeedOutcome } from './ladder.ts';

export type BrokenFeed = Extract<FeedOutcome, { readonly is: 'gone' | 'invalid' | 'unanswered' }>;

const GONE = [404, 410];
/** Statuses for a request at the wrong moment. */
const BUSY = [408, 425, 429];
/** The code of a document that was answered with a status. */
const STATUS_CODE = /^HTTP-(\d{3})$/;

/**
 * Classifies a look at a feed that threw. Undefined if the error says nothing about the feed: it was stopped or is not trusted, which only a person
 * can settle, the config is wrong, or the disk is full.
 */
export function brokenFeed(error: unknown): BrokenFeed | undefined {
  if (!(error instanceof TidingsError) || error instanceof FetchAbortedError) return undefined;
  if (error.recovery === 'stop' || error.recovery === 'fix-config') return undefined;
  const why = error.message;
  const status = statusOf(error);
  if (status !== undefined && GONE.includes(status)) return { is: 'gone', why };
  if (status !== undefined) return { is: 'unanswered', why, ...(isRefusal(status) && { isRefused: true }) };
  return { is: isInvalid(error) ? 'invalid' : 'unanswered', why };
}

function statusOf(error: TidingsError): number | undefined {
  if (error instanceof HarvestError) {
    const [, status] = STATUS_CODE.exec(error.code) ?? [];
    return status === undefined ? undefined : Number(status);
  }
  const status: unknown = Reflect.get(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !BUSY.includes(status);
}

/** The document is not a readable feed, and another request would get the same. */
function isInvalid(error: TidingsError): boolean {
  if (error.recovery === 'fix-input') return true;
  return [FeedUnreadableError, HarvestError, BodyTooLargeError, BodyEncodingError].some(
    (kind) => error instanceof kind,
  );
}
