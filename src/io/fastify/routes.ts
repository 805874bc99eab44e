import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { piecesOf } from '../../codecs/primitives/pieces-of.ts';
import { admit } from '../../hub/http/access.ts';
import { preflight } from '../../hub/http/cors.ts';
import { problem } from '../../hub/http/problem.ts';
import type { HubResponse, Route } from '../../hub/http/route.ts';
import { mapRoutes, type RoutePathOptions } from '../../hub/http/route-map.ts';
import type { HubMetrics } from '../../hub/watch/metrics.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { Asked, FastifyExchange, RouteTraits } from './exchange.ts';
import { readJsonBodies } from './json-body.ts';
import type { FoundRoute, KnownPaths } from './known-paths.ts';
import { FastifyHubRequest } from './request.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface RoutingParts {
  readonly routes: readonly Route[];
  isAdmin(authorization: string): boolean;
  readonly exchange: FastifyExchange;
  readonly metrics: HubMetrics;
  readonly proxies: TrustedProxies;
  /** Learns the paths that lead to a route. */
  readonly paths: KnownPaths;
}

/** Fastify takes a moment for each. */
const ROUTES_AT_ONCE = 16;

type ParamsRequest = FastifyRequest<{ Params: Record<string, string> }>;

/** Puts the table of routes on Fastify, and answers whatever is not in it. */
export function addRoutes(app: FastifyInstance, { routes, ...others }: RoutingParts): void {
  const parts = { ...others, routes: routes.filter(({ isFallback }) => !isFallback) };
  // Bodies are read in a scope of their own: what leads to no route is refused unread.
  app.removeAllContentTypeParsers();
  const ofJson = parts.routes.filter(({ wantsBytes }) => !wantsBytes);
  for (const some of piecesOf(ofJson, ROUTES_AT_ONCE)) {
    app.register(async (scope) => {
      // A hub may have changes to write before it listens, and sources to read.
      await othersFirst();
      readJsonBodies(scope);
      for (const route of some) addRoute(scope, route, parts);
    });
  }
  app.register((scope, _options, done) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    for (const route of parts.routes) if (route.wantsBytes) addRoute(scope, route, parts);
    done();
  });
  answerOthers(
    app,
    parts,
    routes.find(({ isFallback }) => isFallback),
  );
}

function addRoute(scope: FastifyInstance, route: Route, parts: RoutingParts): void {
  const { exchange, isAdmin, metrics, proxies, paths } = parts;
  const traits: RouteTraits = { cors: route.cors === true, metrics: metrics.route(route.path) };
  const { access } = route;
  const hasBody = route.method !== 'GET';

  scope.route<{ Params: Record<string, string> }>({
    method: hasBody || route.withoutHead ? route.method : ['GET', 'HEAD'],
    url: route.path,
    exposeHeadRoute: false,
    ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
    ...(hasBody && { onRequest: refuseBeforeBody }),
    errorHandler: (error, _request, reply) => exchange.refuse(hijacked(reply, traits), bodyProblem(error)),
    handler: find,
  });

  function find({ raw, params, body }: ParamsRequest, reply: FastifyReply): void {
    reply.hijack();
    if (!hasBody && !route.withoutHead) paths.keep(raw.url ?? '', { params, answer });
    answer(raw, reply.raw, params, body);
  }

  function answer(raw: IncomingMessage, response: ServerResponse, params: FoundRoute['params'], body?: unknown): void {
    const asked = { raw: response, route: traits, startedAt: performance.now() };
    const refusal = route.guard?.(raw.headers, params);
    if (refusal !== undefined) {
      exchange.refuse(asked, refusal);
      return;
    }
    const admission = admit(access, raw.headers, isAdmin);
    if (!admission.ok) {
      exchange.refuse(asked, admission.refusal);
      return;
    }
    const { isAdmin: asAdmin } = admission;
    exchange.run(asked, route, new FastifyHubRequest(raw, response, { params, body, isAdmin: asAdmin, proxies }));
  }

  function refusalOf({ headers }: IncomingMessage, params: FoundRoute['params']): HubResponse | undefined {
    const admission = admit(access, headers, isAdmin);
    return route.guard?.(headers, params) ?? (admission.ok ? undefined : admission.refusal);
  }

  function refuseBeforeBody(request: ParamsRequest, reply: FastifyReply, done: () => void): void {
    const refusal = refusalOf(request.raw, request.params);
    if (refusal !== undefined) {
      exchange.refuse(hijacked(reply, traits), refusal);
      return;
    }
    // The client of `Expect: 100-continue` waits for this word before it sends the body.
    if (request.raw.headers.expect !== undefined && request.raw.httpVersion === '1.1') reply.raw.writeContinue();
    done();
  }
}

function answerOthers(app: FastifyInstance, parts: RoutingParts, fallback: Route | undefined): void {
  const { routes, exchange, metrics, proxies } = parts;
  const optionsOf = mapRoutes(routes);
  const known = metrics.route('(other method)');
  const unknown: RouteTraits = { cors: false, metrics: metrics.route('(none)') };

  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = decodeURI(request.url.split('?', 1)[0] ?? '');
    const options = optionsOf(path);
    if (options === undefined && fallback !== undefined && isRead(request.method)) {
      const asked = { params: { '*': path.slice(1) }, body: undefined, isAdmin: false, proxies };
      exchange.run(hijacked(reply, unknown), fallback, new FastifyHubRequest(request.raw, reply.raw, asked));
      return;
    }
    if (options === undefined) {
      exchange.refuse(hijacked(reply, unknown), problem({ status: 404, detail: 'The hub has nothing here.' }));
      return;
    }
    const traits = { cors: options.corsMethods.length > 0, metrics: known };
    exchange.refuse(hijacked(reply, traits), otherMethod(request.method, options));
  };
  app.setNotFoundHandler(answer);
  // A media type that Fastify cannot read comes here before it is known that nothing is here.
  app.setErrorHandler((_error, request, reply) => answer(request, reply));
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function otherMethod(method: string, options: RoutePathOptions): HubResponse {
  if (method === 'OPTIONS' && options.corsMethods.length > 0) return preflight(options);
  const allow = options.methods.join(', ');
  return problem({ status: 405, detail: `This can be asked with ${allow} only.` }, { allow });
}

/** Tells Fastify that the answer is sent without it. */
function hijacked(reply: FastifyReply, route: RouteTraits): Asked {
  reply.hijack();
  return { raw: reply.raw, route, startedAt: performance.now() };
}

const BODY_DETAILS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than this server reads.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send the body as application/json.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length that its header says.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not JSON, or has a key that is not allowed in it.',
};

/** What Fastify or the reader of bodies says before a handler is reached. */
function bodyProblem(error: unknown): HubResponse {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 400;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const ownWords = error instanceof Error && code === '' ? error.message : undefined;
  return problem({ status: status >= 400 && status < 500 ? status : 400, detail: BODY_DETAILS[code] ?? ownWords });
}
