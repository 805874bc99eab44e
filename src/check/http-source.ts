import { DISCOVERY_PATH } from '../codecs/aicf/wire.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import type { DocumentSource } from './read-document.ts';

const MAX_BODY_BYTES = 128 * 1024 * 1024;
const DEADLINE_MS = 60_000;

/** A live site. `target` may be its root, any page of it, or the feed itself. */
export function createHttpSource(http: HttpClient, target: URL): DocumentSource {
  const base = new URL('.', target).pathname;
  return {
    name: target.href,
    live: true,
    discoveryPaths: [...new Set([DISCOVERY_PATH, base + DISCOVERY_PATH.slice(1)])],
    ...(target.pathname.endsWith('.ndjson') && { feedAddress: target.href }),

    async read(address, { headers, headersOnly = false } = {}) {
      const url = new URL(address, target);
      url.hash = '';
      const where = url.href;
      try {
        const response = await http.get({ url, headers, maxBodyBytes: MAX_BODY_BYTES, deadlineMs: DEADLINE_MS });
        if (headersOnly) await response.discard();
        const bytes = headersOnly ? new Uint8Array() : await readBytes(response, { maxBytes: MAX_BODY_BYTES });
        return { kind: 'answered', where, status: response.status, headers: response.headers, bytes };
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        // Only the address that the user gave is the user's to allow; where it leads is the publisher's doing.
        if (error instanceof AddressRefusedError && error.url.hostname !== target.hostname) {
          const failure = `It leads to ${error.url.href}, which was not asked: ${error.address} is not a public address.`;
          return { kind: 'unread', where, failure, recovery: 'fix-input', cause: error };
        }
        return { kind: 'unread', where, failure: error.message, recovery: error.recovery, cause: error };
      }
    },
  };
}
