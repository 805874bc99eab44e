import { expect, test } from 'vitest';
import { callRoute, jsonOf } from '../../../test/support/call-route.ts';
import { EMPTY_CATALOGUE } from '../../../test/support/empty-catalogue.ts';
import { FakeWatch, NEVER_CHECKED, siteConfig, watchedSource } from '../../../test/support/fake-watch.ts';
import { matchesSchema } from '../../../test/support/json-schema.ts';
import { WITHOUT_KEYS } from '../../../test/support/source-parts.ts';
import type { Change } from '../../model/change.ts';
import { decodeSource } from '../config/decode-source.ts';
import { overviewView } from '../dashboard/overview/overview.ts';
import { createFramer } from '../dashboard/page-frame.ts';
import { sourceListView } from '../dashboard/sources/source-list.ts';
import { viewRoutes } from '../dashboard/view.ts';
import { changesRoutes } from '../routes/changes-routes.ts';
import { docRoutes } from '../routes/doc-routes.ts';
import { healthRoutes } from '../routes/health-routes.ts';
import { metricsRoutes } from '../routes/metrics-routes.ts';
import { previewRoute } from '../routes/preview-route.ts';
import { sourceRoutes } from '../routes/source-routes.ts';
import { subscriptionRoutes } from '../routes/subscription-routes.ts';
import { NOBODY } from '../sign-in/viewer.ts';
import { openApi, openApiRoutes } from './openapi.ts';
import { OPENAPI_SCHEMAS } from './openapi-schemas.ts';
import type { Route } from './route.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const FACTS = { version: '0.1.0', baseUrl: 'https://hub.example/' };
const CHANGE: Change = {
  seq: 1,
  id: '01KH0000000000000000000001',
  source: 'docs',
  kind: 'page',
  action: 'create',
  url: 'https://docs.example/',
  time: '2026-03-01T12:00:00Z',
  provenance: { by: 'compare' },
};
const ERROR = { code: 'PageStatusError', httpStatus: 503, message: 'It answered with status 503.' };

/** Routes that are described here, and asked elsewhere. */
const notAsked = {} as Parameters<typeof subscriptionRoutes>[0];

function allRoutes(): Route[] {
  const health = { ...NEVER_CHECKED, lastCheckMs: NOW, lastOkMs: NOW, failures: 1, error: ERROR };
  const watch = new FakeWatch([
    watchedSource(siteConfig('a'), { paused: 'off' }),
    watchedSource(siteConfig('b'), { health }),
    watchedSource(siteConfig('docs')),
  ]);
  watch.checks = [{ source: 'b', atMs: NOW, tookMs: 5, outcome: 'error', changes: 0, error: ERROR }];
  const news = { lastChangeIdOf: () => CHANGE.id, standingOf: () => undefined };
  const now = () => NOW;
  const baseUrl = () => FACTS.baseUrl;
  const routes: Route[] = [
    ...viewRoutes(
      [
        overviewView({
          watch,
          catalogue: EMPTY_CATALOGUE,
          recentChanges: () => [CHANGE],
          links: () => [],
          baseUrl,
          now,
        }),
        sourceListView({ watch, now }),
      ],
      {
        viewers: { viewerOf: () => NOBODY },
        frame: createFramer({ style: 's', script: 's', icon: 'i', doneWords: {}, canSignIn: false }),
      },
    ),
    ...changesRoutes({
      store: {
        changes: async function* () {
          yield CHANGE;
        },
        changeById: async () => undefined,
        logStart: () => undefined,
        redactions: () => 0,
      },
      newest: () => CHANGE,
      epoch: undefined,
      isSource: () => true,
      baseUrl,
    }),
    ...sourceRoutes({
      ...WITHOUT_KEYS,
      watch,
      news,
      decodeSource: (value, at) => decodeSource(value, { allowPrivate: false, at }),
      now,
      deadline: () => new AbortController().signal,
    }),
    previewRoute({ preview: () => Promise.reject(new Error('not asked')) }),
    ...healthRoutes({ watch, news, now }),
    ...metricsRoutes(() => ''),
    ...docRoutes({
      watch,
      scope: { isChosen: () => true, isNamed: async () => true },
      clientOf: () => '',
      wait: async () => {},
      readDocument: () => Promise.reject(new Error('not asked')),
      readFolderPage: () => Promise.reject(new Error('not asked')),
    }),
    ...subscriptionRoutes(notAsked),
    ...openApiRoutes(
      () => routes,
      () => FACTS,
    ),
  ];
  return routes;
}

const DOCUMENT = openApi(allRoutes(), FACTS);
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
  readonly security: readonly Record<string, readonly string[]>[];
};
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
);

test('every route is described, and nothing else', () => {
  const described = OPERATIONS.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  const routed = allRoutes().map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.sort()).toEqual(routed.sort());
  expect(described.length).toBeGreaterThan(12);
});

test('each operation has an id of its own, a summary, and an answer', () => {
  const ids = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of OPERATIONS) {
    expect(operation.operationId, path).toMatch(/^[a-z][A-Za-z0-9_]*$/);
    expect(operation.summary.length, path).toBeGreaterThan(5);
    const statuses = Object.keys(operation.responses);
    expect(
      statuses.some((status) => status.startsWith('2')),
      path,
    ).toBe(true);
    for (const { description } of Object.values(operation.responses)) expect(description).not.toBe('');
  }
});

test('the parameters of a path are those of its template, and required', () => {
  for (const { path, operation } of OPERATIONS) {
    const inTemplate = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(
      declared.map(({ name }) => name),
      path,
    ).toEqual(inTemplate);
    expect(
      declared.every(({ required }) => required === true),
      path,
    ).toBe(true);
    const names = (operation.parameters ?? []).map((parameter) => `${parameter.in} ${parameter.name}`);
    expect(new Set(names).size, path).toBe(names.length);
  }
});

test('a parameter that a route forgets to name is named for it', () => {
  const route: Route = {
    method: 'GET',
    path: '/aicf/:file',
    access: 'open',
    summary: 'A feed.',
    responses: { 200: 'It.' },
    handle: () => ({ status: 200, headers: {} }),
  };
  expect(openApi([route], FACTS).paths['/aicf/{file}']?.get).toMatchObject({
    parameters: [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }],
  });
});

test('refusals are problem documents, and the token is asked for where it is needed', () => {
  for (const { path, operation } of OPERATIONS) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      expect(Object.keys(content ?? {}), `${path} ${status}`).toEqual(['application/problem+json']);
    }
    if (path.startsWith('/api/v1/sources') || path.startsWith('/api/v1/subscriptions')) {
      expect(operation.security?.[0], path).toEqual({ token: [] });
      expect(operation.responses, path).toHaveProperty('401');
    } else {
      expect(operation.security, path).toEqual(
        path === '/doc' || path.startsWith('/api/v1/views/') ? [{}, { token: [] }] : [],
      );
    }
  }
  expect(DOCUMENT.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
});

test('every reference leads somewhere, and every schema is used', () => {
  const written = JSON.stringify(DOCUMENT);
  const referred = Array.from(written.matchAll(/#\/components\/schemas\/(\w+)/g), ([, name = '']) => name);
  expect([...new Set(referred)].sort()).toEqual(Object.keys(OPENAPI_SCHEMAS).sort());
});

test('what the hub answers is what it describes', async () => {
  const routes = allRoutes();
  const site = { id: 'x', kind: 'site', url: 'https://x.example/' };
  const calls: [string, string, unknown?][] = [
    ['GET /api/v1/changes', 'ChangesPage'],
    ['GET /api/v1/changes?after=x', 'Problem'],
    ['GET /api/v1/changes?after=7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'Problem'],
    ['GET /api/v1/sources', 'Sources'],
    ['GET /api/v1/sources/b', 'Source'],
    ['GET /api/v1/sources/b/checks', 'Checks'],
    ['POST /api/v1/sources/import', 'Import', { sources: [site] }],
    ['POST /api/v1/sources/test', 'TestOutcome', { source: site }],
    ['GET /healthz', 'Liveness'],
  ];
  for (const [line, name, body] of calls) {
    expect([line, isValid(name, jsonOf(await callRoute(routes, line, { body, isAdmin: true })))]).toEqual([line, true]);
  }
  const health = jsonOf(await callRoute(routes, 'GET /state/health.json'));
  for (const id of ['a', 'b', 'docs']) expect([id, isValid('SourceHealth', health.sources[id])]).toEqual([id, true]);
  expect(isValid('SourceHealth', { ...health.sources.a, status: 'fine' }), 'the check can fail').toBe(false);
  expect(isValid('SourceConfig', site)).toBe(true);
});

function isValid(name: string, value: unknown): boolean {
  const { Health: _, ...$defs } = OPENAPI_SCHEMAS;
  const written = JSON.stringify({ $ref: `#/$defs/${name}`, $defs });
  return matchesSchema(JSON.parse(written.replaceAll('#/components/schemas/', '#/$defs/')), value);
}

test('the description is served, with its version and its address', async () => {
  const answer = await callRoute(allRoutes(), 'GET /openapi.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(jsonOf(answer)).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Tidings hub', version: '0.1.0' },
    servers: [{ url: 'https://hub.example' }],
  });
  const headers = { 'if-none-match': answer.headers.etag ?? '' };
  expect((await callRoute(allRoutes(), 'GET /openapi.json', { headers })).status).toBe(304);
});
