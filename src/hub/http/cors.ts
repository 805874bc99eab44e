import type { HubResponse } from './route.ts';
import type { RoutePathOptions } from './route-map.ts';

const LIMITS = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-DiffDelta-Tier';
const EXPOSED = `ETag, Last-Modified, Content-Range, Accept-Ranges, Retry-After, ${LIMITS}`;
const REQUEST_HEADERS = 'If-None-Match, If-Modified-Since, Range, If-Range, Last-Event-ID, X-DiffDelta-Key';
const PREFLIGHT_SECONDS = 86_400;

/** On every answer of a route that scripts of other origins may read, including refusals. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

/** The answer to OPTIONS. */
export function preflight({ methods, corsMethods, corsToken }: RoutePathOptions): HubResponse {
  return {
    status: 204,
    headers: {
      allow: methods.join(', '),
      'access-control-allow-methods': corsMethods.join(', '),
      'access-control-allow-headers': corsToken ? `${REQUEST_HEADERS}, Authorization, Content-Type` : REQUEST_HEADERS,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    },
  };
}
