import type { HubRequest, HubResponse, Route } from '../../src/hub/http/route.ts';

/** Calls a route like the server would: `call(routes, 'GET /api/v1/sources/docs?x=1')`. */
export async function callRoute(
  routes: readonly Route[],
  line: string,
  request: Partial<Omit<HubRequest, 'method' | 'params' | 'query'>> = {},
): Promise<HubResponse> {
  const [method = '', target = ''] = line.split(/ (.*)/s);
  const url = new URL(target, 'http://hub.invalid/');
  for (const route of routes) {
    const params = route.method === method ? match(route.path, url.pathname) : undefined;
    if (params === undefined) continue;
    return route.handle({
      method,
      params,
      query: url.searchParams,
      headers: {},
      body: undefined,
      isAdmin: route.access === 'admin',
      clientIp: '127.0.0.1',
      signal: new AbortController().signal,
      ...request,
    });
  }
  throw new Error(`No route answers ${line}.`);
}

export function textOf({ body }: HubResponse): string {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new Error('The answer has no text.');
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** The JSON of an answer, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export function jsonOf(answer: HubResponse): any {
  return JSON.parse(textOf(answer));
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const named = pattern.split('/');
  const given = path.split('/');
  if (named.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of named.entries()) {
    const value = decodeURIComponent(given[at] ?? '');
    if (name.startsWith(':')) params[name.slice(1)] = value;
    else if (name !== value) return undefined;
  }
  return params;
}
