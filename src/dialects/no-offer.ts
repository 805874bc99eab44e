import { FeedUnreadableError } from '../errors/feed-error.ts';
import { BodyEncodingError, BodyTooLargeError } from '../errors/fetch-error.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import type { FeedOffer, NoOffer } from './reader.ts';

/** What `find` offers, or the reason if it fails because nothing suitable exists there. */
export async function orNothing(find: () => Promise<FeedOffer>): Promise<FeedOffer | NoOffer> {
  try {
    return await find();
  } catch (error) {
    if (isNothing(error)) return { nothing: error };
    throw error;
  }
}

/** The place has nothing, or something else than the feed that was looked for. */
export function isNothing(error: unknown): error is TidingsError {
  if (error instanceof BodyTooLargeError || error instanceof BodyEncodingError) return true;
  if (!(error instanceof FeedUnreadableError)) return false;
  return error.status === undefined || error.status === 404 || error.status === 410;
}

/** The reason in words, without the consequence. */
export function reasonOf(error: Error): string {
  const reason = error instanceof FeedUnreadableError ? `${error.url} ${error.what}` : error.message;
  return reason.replace(/\.$/, '');
}
