import { API_KEY_HEADER, KEY_CHALLENGE } from '../../http/access.ts';
import { problem } from '../../http/problem.ts';
import { cutWhen, isPushed } from '../../http/pushed-body.ts';
import type { HubRequest, HubResponse, Route } from '../../http/route.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import type { Session } from '../../sign-in/session.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { rootOf } from '../page-frame.ts';
import { signInPath } from '../view.ts';

export interface PrivateParts {
  readonly sessions: Pick<Sessions, 'viewerOf' | 'sessionOf' | 'whenOver'>;
  readonly keys: Pick<KeyRing, 'find'>;
}

/** The paths that a private hub also answers to anybody: whether it runs, how to sign in, what it is, and callbacks with their own secret or signature. */
const OPEN_PATHS: readonly (string | RegExp)[] = [
  '/healthz',
  '/sign-in',
  /^\/sign-in\//,
  '/sign-out',
  '/bot',
  // The owner of a site may control how it is watched, whoever may read the results.
  '/owners',
  /^\/owners\//,
  /^\/api\/v1\/owners\/(?:token|check|sources\/)/,
  /^\/assets\//,
  '/websub/:id',
  '/api/v1/payments/webhook',
  // Has a separate password.
  '/alerts.atom',
];

/** The same routes, only for people who are signed in or have the hub's token or a valid API key. */
export function privateRoutes(routes: readonly Route[], parts: PrivateParts): Route[] {
  return routes.map((route) => (isForAll(route) || route.access === 'admin' ? route : privateRoute(route, parts)));
}

function isForAll({ path }: Route): boolean {
  return OPEN_PATHS.some((open) => (typeof open === 'string' ? open === path : open.test(path)));
}

function privateRoute(route: Route, { sessions, keys }: PrivateParts): Route {
  const isPage = route.method === 'GET' && route.answer?.mediaType.startsWith('text/html') === true;
  return {
    ...route,
    // So that the token is looked at where nobody needed one.
    access: route.access === 'open' ? 'public-or-admin' : route.access,
    responses: { ...route.responses, ...(isPage ? { 303: 'Sign in first.' } : { 401: 'This hub is private.' }) },
    handle(request) {
      const isKnown = request.isAdmin || keys.find(request.headers[API_KEY_HEADER]) !== undefined;
      const session = isKnown ? undefined : sessionIn(request, sessions);
      if (!isKnown && session === undefined) return isPage ? toSignIn(route, request) : NOT_KNOWN;
      const guarded = (answer: HubResponse) => endingWith(session, keptByNobodyElse(answer), sessions);
      const answer = route.handle(request);
      return answer instanceof Promise ? answer.then(guarded) : guarded(answer);
    },
  };
}

/** Looking at it keeps it. */
function sessionIn(request: HubRequest, sessions: PrivateParts['sessions']): Session | undefined {
  return sessions.viewerOf(request).role === undefined ? undefined : sessions.sessionOf(request);
}

/** A stream ends with the session that it was opened in. */
function endingWith(
  session: Session | undefined,
  answer: HubResponse,
  sessions: Pick<Sessions, 'whenOver'>,
): HubResponse {
  const { body } = answer;
  if (session === undefined || body === undefined || !isPushed(body)) return answer;
  return { ...answer, body: cutWhen(body, (cut) => sessions.whenOver(session, cut)) };
}

function toSignIn({ path }: Route, { params, query }: HubRequest): HubResponse {
  const location = signInPath({ path, params, query, root: rootOf(path) });
  return { status: 303, headers: { location, 'cache-control': 'no-store' } };
}

/** Documents share their headers, and so do the derived ones. */
const privateHeaders = new WeakMap<HubResponse['headers'], HubResponse['headers']>();

/** A cache between the hub and its readers would give to anybody what it keeps. */
function keptByNobodyElse(answer: HubResponse): HubResponse {
  const { headers } = answer;
  const said = headers['cache-control'] ?? 'no-cache';
  if (/\b(?:private|no-store)\b/.test(said)) return answer;
  const made = privateHeaders.get(headers) ?? {
    ...headers,
    'cache-control': `private, ${said.replace(/\b(?:public|s-maxage=\d+)\b,? ?/g, '')}`.replace(/, $/, ''),
  };
  privateHeaders.set(headers, made);
  return { ...answer, headers: made };
}

const NOT_KNOWN = problem(
  {
    status: 401,
    detail:
      'This hub is private. Send its token (Authorization: Bearer <token>) or an API key in X-DiffDelta-Key; in a browser, sign in at /sign-in.',
  },
  { 'www-authenticate': `Bearer realm="tidings", ${KEY_CHALLENGE}` },
);
