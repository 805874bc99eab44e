import type { PoliteClient } from './polite-client.ts';

export interface Frugality {
  /** The maximum number of requests. */
  readonly most: number;
  /** Called for each request beyond the maximum. */
  readonly onSpared?: () => void;
}

/** Answers every request beyond the maximum as not found, for callers that only want an overview of a site. */
export function frugalClient(client: PoliteClient, { most, onSpared }: Frugality): PoliteClient {
  let left = most;
  return {
    sitemapsOf: (origin) => client.sitemapsOf(origin),
    async get(request) {
      left -= 1;
      if (left >= 0) return await client.get(request);
      onSpared?.();
      const body = { async *[Symbol.asyncIterator]() {} };
      return { url: request.url, status: 404, headers: {}, body, discard: async () => {} };
    },
  };
}
