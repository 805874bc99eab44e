import { answerArtifact, type ServedArtifact } from './answer-artifact.ts';
import { OPENAPI_SCHEMAS } from './openapi-schemas.ts';
import { PROBLEM_TYPE } from './problem.ts';
import type { Route, RouteAccess, RouteParameter } from './route.ts';
import { JSON_TYPE, smallArtifact } from './small-answer.ts';

export interface OpenApiFacts {
  /** The version of Tidings. */
  readonly version: string;
  /** The public base URL of the hub, with a final slash. */
  readonly baseUrl: string;
}

const SCHEME = 'token';
const KEY_SCHEME = 'key';
const NO_TOKEN: Readonly<Record<RouteAccess, Readonly<Record<number, string>>>> = {
  open: {},
  admin: { 401: 'The token is missing or wrong.' },
  'public-or-admin': { 401: 'The token is wrong.' },
  'admin-or-key': {
    401: 'The token or a valid API key is missing.',
    403: 'The tier of the API key does not include this.',
  },
};

const SECURITY: Readonly<Record<RouteAccess, readonly object[]>> = {
  open: [],
  admin: [{ [SCHEME]: [] }],
  'public-or-admin': [{}, { [SCHEME]: [] }],
  'admin-or-key': [{ [SCHEME]: [] }, { [KEY_SCHEME]: [] }],
};

/** The description of all routes, including itself. `routes` is called on the first request, when the table is complete. */
export function openApiRoutes(routes: () => readonly Route[], facts: () => OpenApiFacts): Route[] {
  let artifact: ServedArtifact | undefined;
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      cors: true,
      summary: 'This OpenAPI description.',
      responses: { 200: 'An OpenAPI 3.1 document.', 304: 'Not modified.' },
      answer: { mediaType: JSON_TYPE, schema: { type: 'object' } },
      handle: (request) => {
        artifact ??= smallArtifact(`${JSON.stringify(openApi(routes(), facts()))}\n`, JSON_TYPE);
        return answerArtifact(request, artifact);
      },
    },
  ];
}

/** OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1), generated from the route table. */
export function openApi(routes: readonly Route[], { version, baseUrl }: OpenApiFacts) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    if (route.isFallback) continue;
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidings hub',
      version,
      description:
        'Watches sources, records their changes in one append-only log, and serves that log. HEAD works wherever GET does.',
    },
    servers: [{ url: baseUrl.replace(/\/$/, '') || '/' }],
    paths,
    components: {
      schemas: OPENAPI_SCHEMAS,
      securitySchemes: {
        [SCHEME]: { type: 'http', scheme: 'bearer', description: "The hub's token, printed at its first start." },
        [KEY_SCHEME]: { type: 'apiKey', in: 'header', name: 'X-DiffDelta-Key', description: 'An API key.' },
      },
    },
  };
}

function operationOf(route: Route): object {
  const { method, path, access, summary, requestBody } = route;
  const parameters = parametersOf(route);
  return {
    operationId: operationIdOf(method, path),
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && {
      requestBody: {
        required: 'required' in requestBody || '$ref' in requestBody,
        content: { 'application/json': { schema: requestBody } },
      },
    }),
    responses: responsesOf(route),
    security: SECURITY[access],
  };
}

/** `/aicf/:file` is `/aicf/{file}`; what `*` matches is called `rest`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}').replace('*', '{rest}');
}

function operationIdOf(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method.toLowerCase(), ...(words.length === 0 ? ['home'] : words)].join('_');
}

/** The parameters that the route names, and the remaining ones of its path. */
function parametersOf({ path, parameters = [] }: Route): RouteParameter[] {
  const inPath = Array.from(templateOf(path).matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const unnamed = inPath
    .filter((name) => !named.includes(name))
    .map((name) => ({ name, in: 'path' as const, description: 'Path segment.', schema: { type: 'string' } }));
  return [...unnamed, ...parameters].map((parameter) =>
    parameter.in === 'path' ? { ...parameter, required: true } : parameter,
  );
}

function responsesOf({ access, responses, answer }: Route): Record<string, object> {
  const described: Record<string, object> = {};
  for (const [status, description] of Object.entries({ ...NO_TOKEN[access], ...responses })) {
    const content = contentOf(Number(status), answer);
    described[status] = { description, ...(content !== undefined && { content }) };
  }
  return described;
}

function contentOf(status: number, answer: Route['answer']): object | undefined {
  if (status >= 400) return { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } };
  if (status === 204 || status >= 300 || answer === undefined) return undefined;
  const { others = [], ...first } = answer;
  return Object.fromEntries([first, ...others].map(({ mediaType, ...schema }) => [mediaType, schema]));
}
