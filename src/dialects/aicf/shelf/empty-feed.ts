import type { FeedVersion } from './feed-store.ts';

const NO_BYTES = new Uint8Array(0);

/** A feed before its first line. Its ETag is a constant. */
export const EMPTY_FEED: FeedVersion = {
  etag: '"0"',
  bytes: 0,
  read: () => NO_BYTES,
  encoded: () => undefined,
};
