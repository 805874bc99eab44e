import type { PoliteClient } from './polite-client.ts';

export interface Frugality {
  /** So many are asked for. */
  readonly most: number;
  /** Called for each beyond. */
  readonly onSpared?: () => void;
}

/** Answers for whatever is asked beyond the first few that it is not there: for who only wants to see what a site has. */
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
