import { AICF_DISCOVERY_PATH } from '../codecs/aicf/wire.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { readBytes } from '../fetch/read-text.ts';
import { type DocumentSource, failureOf } from './read-document.ts';

const MAX_BODY_BYTES = 128 * 1024 * 1024;
const DEADLINE_MS = 60_000;
const FEED_FILE = /\.(?:ndjson|jsonl)$/i;

export interface HttpSourceOptions {
  /** A header with a key. It goes to the origin of the target alone. */
  readonly keyHeader?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A live site. `target` may be its root, any page of it, or the discovery document or the feed itself. */
export function createHttpSource(
  http: HttpClient,
  target: URL,
  { keyHeader, signal }: HttpSourceOptions = {},
): DocumentSource {
  return {
    name: target.href,
    live: true,
    hasKey: keyHeader !== undefined,
    ...placesOf(target),

    async read(address, { headers, headersOnly = false, maxBodyBytes = MAX_BODY_BYTES } = {}) {
      const url = new URL(address, target);
      url.hash = '';
      const where = url.href;
      try {
        const secretHeaders = url.origin === target.origin ? keyHeader : undefined;
        const response = await http.get({
          url,
          headers,
          ...(secretHeaders !== undefined && { secretHeaders }),
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
        };
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        // Only the address that the user gave is the user's to allow; where it leads is the publisher's doing.
        if (error instanceof AddressRefusedError && error.url.hostname !== target.hostname) {
          const failure = `It leads to ${error.url.href}, which was not asked: ${error.address} is not a public address.`;
          return { kind: 'unread', where, failure, recovery: 'fix-input', cause: error };
        }
        return { kind: 'unread', where, failure: failureOf(error), recovery: error.recovery, cause: error };
      }
    },
  };
}

/** A feed may have a discovery document of its own in the folder of its name: `/aicf/docs.ndjson` in `/aicf/docs/`. */
function placesOf(target: URL): Pick<DocumentSource, 'discoveryPaths' | 'named'> {
  const { pathname, search } = target;
  const address = new URL(pathname + search, target).href;
  if (pathname.endsWith(AICF_DISCOVERY_PATH)) {
    const others = pathname + search === AICF_DISCOVERY_PATH ? [] : [address];
    return { discoveryPaths: [AICF_DISCOVERY_PATH, ...others], named: { is: 'discovery', address } };
  }
  const below = [new URL('.', target).pathname + AICF_DISCOVERY_PATH.slice(1)];
  const isFeed = FEED_FILE.test(pathname);
  if (isFeed) below.push(pathname.replace(FEED_FILE, '') + AICF_DISCOVERY_PATH);
  return {
    discoveryPaths: [...new Set([AICF_DISCOVERY_PATH, ...below])],
    ...(isFeed && { named: { is: 'feed', address } }),
  };
}
