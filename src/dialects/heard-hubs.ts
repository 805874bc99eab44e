import type { HttpClient } from '../fetch/http-client.ts';
import { namedHubs } from '../fetch/named-hubs.ts';
import type { NamedHubs } from '../model/named-hubs.ts';

/** An HTTP client that records the hubs that a feed names in its headers, for feeds that cannot contain links. */
export interface HubEar {
  readonly http: HttpClient;
  /** Undefined until a response of the feed has been seen. */
  readonly hubs: NamedHubs | undefined;
}

const NONE_WITHIN = { hubs: [], self: undefined };

export function hearHubs(http: HttpClient, feedUrl: string): HubEar {
  let hubs: NamedHubs | undefined;
  return {
    get hubs() {
      return hubs;
    },
    http: {
      async get(request) {
        const response = await http.get(request);
        if (request.url.href !== feedUrl) return response;
        hubs = namedHubs(feedUrl, response, response.status === 200 ? NONE_WITHIN : undefined) ?? hubs;
        return response;
      },
      [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
    },
  };
}
