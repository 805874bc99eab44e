import type { DocumentSource } from '../dialects/document-source.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';

const MAX_BODY_BYTES = 128 * 1024 * 1024;
const DEADLINE_MS = 60_000;

/** A live site. `target` may be its root, any of its pages, or a document of a dialect. */
export function createHttpSource(http: HttpClient, target: URL, signal?: AbortSignal): DocumentSource {
  return {
    name: target.href,
    live: true,
    url: target,

    async read(address, { headers, secretHeaders, headersOnly = false, maxBodyBytes = MAX_BODY_BYTES } = {}) {
      const url = new URL(address, target);
      url.hash = '';
      const where = url.href;
      try {
        const response = await http.get({
          url,
          headers,
          ...(secretHeaders !== undefined && url.origin === target.origin && { secretHeaders }),
          maxBodyBytes,
          deadlineMs: DEADLINE_MS,
          ...(signal !== undefined && { signal }),
        });
        if (headersOnly) await response.discard();
        const bytes = headersOnly ? new Uint8Array() : await readBytes(response, { maxBytes: maxBodyBytes });
        const servedBy = response.url.href;
        return {
          kind: 'answered',
          where,
          status: response.status,
          headers: response.headers,
          bytes,
          ...(servedBy !== where && { servedBy }),
          ...(response.wasAltered && { wasAltered: true }),
        };
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        // The user can only allow the address that the user gave; where it leads is up to the publisher.
        if (error instanceof AddressRefusedError && error.url.hostname !== target.hostname) {
          const failure = `It leads to ${error.url.href}, which was not asked: ${error.address} is not a public address.`;
          return { kind: 'unread', where, failure, recovery: 'fix-input', cause: error };
        }
        return { kind: 'unread', where, failure: error.message, recovery: error.recovery, cause: error };
      }
    },
  };
}
