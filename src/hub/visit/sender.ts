import type { HttpClient } from '../../fetch/http-client.ts';
import { HUB_HEADER, isHubId } from '../../model/hub-path.ts';

/** The hub that serves what a visit reads, if one does. */
export interface Sender {
  /** Known from its first answer. */
  readonly id: string | undefined;
  /** An HTTP client that notes which hub answers. */
  over(http: HttpClient): HttpClient;
}

export function createSender(): Sender {
  let id: string | undefined;
  return {
    get id() {
      return id;
    },
    over: (http) => ({
      async get(request) {
        const response = await http.get(request);
        const { [HUB_HEADER]: named } = response.headers;
        if (isHubId(named)) id = named;
        return response;
      },
      [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
    }),
  };
}
