import type { HttpClient, HttpResponse } from './http-client.ts';
import type { OpenEntry, RequestJournal } from './request-journal.ts';

/** An HTTP client that records each request that is sent, including those of redirects. */
export function createRecordingClient(http: HttpClient, journal: Pick<RequestJournal, 'asked'>): HttpClient {
  return {
    async get(request) {
      const hops: OpenEntry[] = [];
      const response = await http.get({
        ...request,
        async beforeHop(url) {
          await request.beforeHop?.(url);
          hops.push(journal.asked(url));
        },
      });
      for (const [at, status] of [...(response.redirects ?? []), response.status].entries()) hops[at]?.answered(status);
      const last = hops.at(-1);
      return last === undefined ? response : counting(response, last);
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

function counting(response: HttpResponse, entry: OpenEntry): HttpResponse {
  return {
    ...response,
    body: {
      async *[Symbol.asyncIterator]() {
        let decoded = 0;
        try {
          for await (const piece of response.body) {
            decoded += piece.length;
            yield piece;
          }
        } finally {
          entry.received(response.wireBytes?.() ?? decoded);
        }
      },
    },
  };
}
