import { expect, test } from 'vitest';
import { preflight } from './cors.ts';
import type { Route } from './route.ts';
import { mapRoutes } from './route-map.ts';

const route = (method: Route['method'], path: string, rest: Partial<Route> = {}): Route => ({
  method,
  path,
  access: 'open',
  summary: '',
  responses: {},
  handle: () => ({ status: 200, headers: {} }),
  ...rest,
});

const optionsOf = mapRoutes([
  route('GET', '/'),
  route('GET', '/aicf/:file', { cors: true }),
  route('GET', '/api/v1/sources/:id', { cors: true, access: 'public-or-admin' }),
  route('DELETE', '/api/v1/sources/:name', { access: 'admin' }),
  route('POST', '/api/v1/sources/test', { access: 'admin' }),
  route('GET', '/a.b'),
]);

test.each([
  ['/', ['GET', 'HEAD']],
  ['/aicf/docs.ndjson', ['GET', 'HEAD', 'OPTIONS']],
  ['/api/v1/sources/docs', ['DELETE', 'GET', 'HEAD', 'OPTIONS']],
  ['/api/v1/sources/test', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST']],
])('%s offers %j', (path, methods) => {
  expect(optionsOf(path)?.methods).toEqual(methods);
});

test.each(['/aicf', '/aicf/', '/aicf/a/b', '/axb', '/api/v1/sources', ''])('nothing is at %s', (path) => {
  expect(optionsOf(path)).toBeUndefined();
});

test('scripts of other origins are told what they may ask, and of tokens only where one helps', () => {
  const open = optionsOf('/aicf/docs.ndjson');
  const both = optionsOf('/api/v1/sources/docs');
  if (open === undefined || both === undefined) throw new Error('no options');
  expect(preflight(open)).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET, HEAD' } });
  expect(preflight(open).headers['access-control-allow-headers']).not.toContain('Authorization');
  expect(preflight(both).headers['access-control-allow-headers']).toContain('Authorization');
  expect(preflight(both).headers['access-control-allow-methods']).toBe('GET, HEAD');
});
