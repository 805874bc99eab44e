import type { Asker } from './asker.ts';
import type { HttpClient } from './http-client.ts';
import type { PoliteClient } from './polite-client.ts';

/** An HTTP client that makes requests on behalf of an asker. */
export function askingFor(asker: Asker, http: HttpClient): HttpClient {
  return {
    get: (request) => http.get({ asker, ...request }),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** A polite client that makes requests, including those for robots.txt, on behalf of an asker. */
export function politelyFor(asker: Asker, client: PoliteClient): PoliteClient {
  return {
    get: (request) => client.get({ asker, ...request }),
    sitemapsOf: (origin) => client.sitemapsOf(origin, asker),
  };
}
