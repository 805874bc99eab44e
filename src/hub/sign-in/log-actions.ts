import type { HubRequest, HubResponse, Route } from '../http/route.ts';
import { isApiKey, shownPartOf } from '../keys/api-key.ts';
import { clientOfAddress } from '../keys/client-address.ts';
import type { AdminLog } from './admin-log.ts';

const API = '/api/v1/';
const MOST_CHARACTERS = 200;
const CREATED = 201;

/**
 * The same routes, with a record of every action by the API with the hub's token, or by a form of a signed-in person: every change is a POST, PATCH or DELETE
 * there, and forms call those.
 */
export function logActions(routes: readonly Route[], log: Pick<AdminLog, 'record'>): Route[] {
  return routes.map((route) => {
    if (route.method === 'GET' || !route.path.startsWith(API)) return route;
    return {
      ...route,
      handle: (request) => (request.isAdmin ? handleAndLog(route, request, log) : route.handle(request)),
    };
  });
}

async function handleAndLog(route: Route, request: HubRequest, log: Pick<AdminLog, 'record'>): Promise<HubResponse> {
  // If a request fails because of a bug, its effect is unknown.
  let answer: HubResponse | undefined;
  try {
    answer = await route.handle(request);
    return answer;
  } finally {
    await log.record({
      who: request.by ?? 'token',
      action: `${route.method} ${route.path}`,
      on: { ...shownParams(request.params), ...madeIn(answer) },
      from: clientOfAddress(request.clientIp),
      status: answer?.status ?? 500,
    });
  }
}

/** A path may hold an API key as a whole, which nobody should read later. */
function shownParams(params: HubRequest['params']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      isApiKey(value) ? `${shownPartOf(value)}…` : value.slice(0, MOST_CHARACTERS),
    ]),
  );
}

/** The id of what was made, which no path names. */
function madeIn(answer: HubResponse | undefined): { readonly id?: string } {
  if (answer?.status !== CREATED || typeof answer.body !== 'string') return {};
  const id: unknown = (JSON.parse(answer.body) as { id?: unknown } | null)?.id;
  return typeof id === 'string' && !isApiKey(id) ? { id: id.slice(0, MOST_CHARACTERS) } : {};
}
