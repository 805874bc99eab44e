import { createHash } from 'node:crypto';
import type { HttpClient, HttpResponse } from '../../src/fetch/http-client.ts';

/** A web of documents in memory, by address: with ETags, without ranges. Missing documents answer 404. */
export function memoryWeb(
  documents: ReadonlyMap<string, string>,
  onStatus: (status: number) => void = () => {},
): HttpClient {
  return {
    async get({ url, headers = {} }): Promise<HttpResponse> {
      const text = documents.get(url.href);
      const etag = `"${createHash('sha256')
        .update(text ?? '')
        .digest('hex')
        .slice(0, 16)}"`;
      const isKnown = text !== undefined && headers['if-none-match'] === etag;
      const bytes = isKnown || text === undefined ? undefined : Buffer.from(text);
      const status = text === undefined ? 404 : isKnown ? 304 : 200;
      onStatus(status);
      return {
        url,
        status,
        headers: text === undefined ? {} : { etag },
        body: {
          async *[Symbol.asyncIterator]() {
            if (bytes !== undefined) yield bytes;
          },
        },
        async discard() {},
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}
