import { DIRECTORY_MEDIA_TYPE, DIRECTORY_PATH } from '../../codecs/message-signatures/key-directory.ts';
import type { SignedDirectory } from '../../fetch/bot-directory.ts';
import type { Route } from '../http/route.ts';

/** How long verifiers may cache it; the signature is valid for longer. */
const CACHE_SECONDS = 300;

/** The keys with which the crawler signs its requests. */
export function botDirectoryRoute(directory: () => SignedDirectory): Route {
  return {
    method: 'GET',
    path: DIRECTORY_PATH,
    access: 'open',
    cors: true,
    summary: "The public keys of the hub's crawler, for verifying its signed requests (Web Bot Auth).",
    responses: { 200: 'The key set, signed.' },
    answer: { mediaType: DIRECTORY_MEDIA_TYPE },
    handle: () => {
      const { body, headers } = directory();
      const own = {
        'content-type': DIRECTORY_MEDIA_TYPE,
        'cache-control': `public, max-age=${CACHE_SECONDS}, no-transform`,
      };
      return { status: 200, headers: { ...own, ...headers }, body };
    },
  };
}
