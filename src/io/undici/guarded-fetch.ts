import { isRecord } from '../../codecs/primitives/json-record.ts';
import { BadResponseError, RedirectRefusedError } from '../../errors/fetch-error.ts';
import type { HttpClient, HttpPoster, HttpResponse } from '../../fetch/http-client.ts';
import { readBodyText } from '../../fetch/read-text.ts';

export type ApiClient = Pick<HttpClient, 'get'> & HttpPoster;

export interface GuardedFetchOptions {
  readonly http: ApiClient;
  /** The only origin that is asked. */
  readonly origin: string;
  /** Names, in lower case, of what is sent of the caller's headers. `authorization` is always sent. */
  readonly requestHeaders: readonly string[];
  /** Names, in lower case, of what the caller sees of the answer's headers. */
  readonly responseHeaders: readonly string[];
  readonly maxBodyBytes: number;
  readonly deadlineMs: number;
}

/**
 * A `fetch` for the library of one API that speaks JSON: GET and POST over our one way out. An answer is the API's own and
 * a JSON object, or none: no redirect is followed, and the library never meets what its own reading may not expect.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  return async (asked, init) => {
    const request = new Request(asked, init);
    const url = new URL(request.url);
    if (url.origin !== options.origin) throw new RedirectRefusedError(url, `it is not of ${options.origin}`);
    const response = await send(options, request, init?.signal);
    if (response.status >= 300 && response.status < 400) {
      await response.discard();
      throw new RedirectRefusedError(url, 'an API that redirects is not followed');
    }
    const text = await readBodyText(response, { maxBytes: options.maxBodyBytes });
    if (!isJsonObject(text)) throw new BadResponseError(url, `it is no JSON object (HTTP ${response.status})`);
    const headers = Object.entries(response.headers).filter(([name]) => options.responseHeaders.includes(name));
    return new Response(text, { status: response.status, headers });
  };
}

/** The signal is the caller's own: that of a Request is heard only as long as the Request is kept. */
async function send(
  { http, requestHeaders, maxBodyBytes, deadlineMs }: GuardedFetchOptions,
  request: Request,
  signal: AbortSignal | null | undefined,
): Promise<HttpResponse> {
  const url = new URL(request.url);
  const given = [...request.headers];
  const outgoing = {
    url,
    headers: Object.fromEntries(given.filter(([name]) => requestHeaders.includes(name))),
    secretHeaders: Object.fromEntries(given.filter(([name]) => name === 'authorization')),
    maxBodyBytes,
    deadlineMs,
    ...(signal && { signal }),
  };
  if (request.method === 'POST') return await http.post({ ...outgoing, body: await request.text() });
  if (request.method !== 'GET') throw new Error(`${request.method} is not one of GET and POST`);
  return await http.get({
    ...outgoing,
    async beforeHop(hop) {
      if (hop.href !== url.href) throw new RedirectRefusedError(url, 'an API that redirects is not followed');
    },
  });
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
