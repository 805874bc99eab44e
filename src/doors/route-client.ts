import { HubAnswerError } from '../errors/hub-answer-error.ts';
import type { HubResponse, Route } from '../hub/http/route.ts';
import type { HubClient } from '../io/undici/hub-client.ts';

export interface RouteClientOptions {
  /** Where the routes answer, for messages. */
  readonly place: string;
  readonly signal: AbortSignal;
}

/** Calls routes of this process, like a holder of the hub's token calls those of a running hub. */
export function createRouteClient(
  routes: readonly Route[],
  { place, signal }: RouteClientOptions,
): Pick<HubClient, 'ask'> {
  return {
    async ask({ method, path, body }) {
      const { pathname, searchParams: query } = new URL(path, 'http://hub.invalid/');
      for (const route of routes) {
        const params = route.method === method ? paramsOf(route.path, pathname) : undefined;
        if (params === undefined) continue;
        const answer = await route.handle({
          method,
          params,
          query,
          headers: {},
          body,
          clientIp: '127.0.0.1',
          isAdmin: true,
          signal,
        });
        return answerOf(answer, place);
      }
      throw new Error(`No route answers ${method} ${pathname}.`);
    },
  };
}

function answerOf({ status, body, error }: HubResponse, place: string): unknown {
  if (error !== undefined) throw error;
  const value: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
  if (status < 300) return value;
  const { detail } = (value ?? {}) as { readonly detail?: string };
  throw new HubAnswerError(place, status, { ...(detail !== undefined && { detail }) });
}

/** The values of the named parts of a route, like `/sources/:id`. Undefined if the path does not match. */
function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [named, given] = [pattern.split('/'), path.split('/')];
  if (named.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of named.entries()) {
    const value = decodeURIComponent(given[at] ?? '');
    if (name.startsWith(':')) params[name.slice(1)] = value;
    else if (name !== value) return undefined;
  }
  return params;
}
