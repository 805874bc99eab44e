import type { HttpClient } from '../fetch/http-client.ts';
import { namedHubs } from '../fetch/named-hubs.ts';
import type { NamedHubs } from '../model/named-hubs.ts';

/** A way out on which the hubs are heard that the headers of a feed name: for feeds that have no links within. */
export interface HubEar {
  readonly http: HttpClient;
  /** Undefined until the feed has said something of them. */
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
