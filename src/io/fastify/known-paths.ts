import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What leads a request to its handler: all that the router has found out about a path. */
export interface FoundRoute {
  readonly params: Readonly<Record<string, string>>;
  answer(request: IncomingMessage, response: ServerResponse, params: FoundRoute['params']): void;
}

const MOST_PATHS = 2000;
const MOST_CHARACTERS = 200;

/**
 * What the router found for the paths that are read again and again. It finds the same each time, since the table of routes stays as
 * it is, and looking takes it longer than most answers take.
 */
export class KnownPaths {
  readonly #found = new Map<string, FoundRoute>();

  /** For GET and HEAD, which it is asked for. `url` may have a query, which leads nowhere else. */
  keep(url: string, found: FoundRoute): void {
    // A part of a long string keeps all of it in memory.
    if (url.length > MOST_CHARACTERS) return;
    if (this.#found.size >= MOST_PATHS) this.#found.clear();
    this.#found.set(pathOf(url), found);
  }

  find({ method, url = '' }: IncomingMessage): FoundRoute | undefined {
    return method === 'GET' || method === 'HEAD' ? this.#found.get(pathOf(url)) : undefined;
  }

  /** Answers what is known; the router has the rest. */
  before(router: RequestListener): RequestListener {
    return (request, response) => {
      const found = this.find(request);
      if (found === undefined) router(request, response);
      else found.answer(request, response, found.params);
    };
  }
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
