import { LookSpentError } from '../errors/crawl-error.ts';
import { BodyTooLargeError } from '../errors/fetch-error.ts';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import type { PoliteClient } from './polite-client.ts';

export interface SpendingLimits {
  readonly requests: number;
  /** Of all responses together. */
  readonly bytes: number;
  /** Of a single response. */
  readonly answerBytes: number;
}

/** One recorded response. */
export interface SpentAnswer {
  readonly bytes: number;
  /** It supports conditional requests: unchanged content is not sent again. */
  readonly hasValidator: boolean;
}

/** Counts the requests made through it, including each hop of a redirect, and refuses those beyond its limits. */
export class Spending {
  requests = 0;
  bytes = 0;
  /** The successful responses, by requested URL. */
  readonly answers = new Map<string, SpentAnswer>();
  readonly #limits: SpendingLimits;

  constructor(limits: SpendingLimits) {
    this.#limits = limits;
  }

  http(http: HttpClient): HttpClient {
    return {
      get: async (request) => this.#counted(request.url, await http.get(this.#bounded(request))),
      [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
    };
  }

  client(client: PoliteClient): PoliteClient {
    return {
      sitemapsOf: (origin, asker) => client.sitemapsOf(origin, asker),
      get: async (request) => this.#counted(request.url, await client.get(this.#bounded(request))),
    };
  }

  #bounded<Request extends HttpRequest>(request: Request): Request {
    const { answerBytes, requests } = this.#limits;
    return {
      ...request,
      maxBodyBytes: Math.min(request.maxBodyBytes ?? answerBytes, answerBytes),
      beforeHop: async (url: URL) => {
        if (this.requests >= requests) throw new LookSpentError(url, requests);
        this.requests += 1;
        await request.beforeHop?.(url);
      },
    };
  }

  #counted({ href }: URL, response: HttpResponse): HttpResponse {
    const { status, headers, body, url } = response;
    const hasValidator = headers.etag !== undefined || headers['last-modified'] !== undefined;
    const add = (piece: Uint8Array) => {
      this.bytes += piece.length;
      if (this.bytes > this.#limits.bytes)
        throw new BodyTooLargeError(url, `over ${this.#limits.bytes} bytes, with what was read before`);
    };
    const end = (bytes: number) => {
      if (status === 200) this.answers.set(href, { bytes, hasValidator });
    };
    return {
      ...response,
      body: {
        async *[Symbol.asyncIterator]() {
          let bytes = 0;
          for await (const piece of body) {
            bytes += piece.length;
            add(piece);
            yield piece;
          }
          end(bytes);
        },
      },
    };
  }
}
