import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RIGHT_TOKEN, serveRoutes } from '../../../test/support/serve-routes.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import type { HubRequest } from '../../hub/http/route.ts';

test('a handler gets parameters, query, headers and body, and its answer is sent as it is', async () => {
  let seen: HubRequest | undefined;
  const { server } = await serveRoutes([
    {
      method: 'POST',
      path: '/api/v1/sources/:id',
      access: 'public-or-admin',
      handle: (request) => {
        seen = request;
        return Promise.resolve({ status: 201, headers: { 'content-type': 'application/json' }, body: '{"a":"é"}' });
      },
    },
  ]);
  const answer = await fetch(`${server.url}api/v1/sources/caf%C3%A9?a=1&a=2&b=%2F`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: RIGHT_TOKEN, 'set-cookie': 'a=1' },
    body: '{"x":[1,{"y":null}]}',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('content-length')).toBe('10');
  expect(await answer.text()).toBe('{"a":"é"}');
  expect(seen?.params).toEqual({ id: 'café' });
  expect(seen?.query.getAll('a')).toEqual(['1', '2']);
  expect(seen?.query.get('b')).toBe('/');
  expect(seen?.headers['set-cookie']).toBe('a=1');
  expect(seen?.body).toEqual({ x: [1, { y: null }] });
  expect(seen).toMatchObject({ method: 'POST', isAdmin: true });
});

test('no compiler of schemas is loaded for routes that have none', async () => {
  await serveRoutes([{ path: '/x' }]);
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  expect(loaded.some((file) => file.includes('/fastify/lib/'))).toBe(true);
  expect(loaded.filter((file) => /ajv|-compiler\//.test(file))).toEqual([]);
});

test('every answer has the safe headers, none says what serves it', async () => {
  const { server } = await serveRoutes([{ path: '/x' }]);
  for (const path of ['x', 'nothing', 'a%2fb']) {
    const { headers } = await fetch(server.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('a header of a handler replaces ours of the same name', async () => {
  const { server } = await serveRoutes([
    { path: '/x', handle: () => ({ status: 200, headers: { 'referrer-policy': 'same-origin' }, body: 'x' }) },
  ]);
  expect((await fetch(`${server.url}x`)).headers.get('referrer-policy')).toBe('same-origin');
});

test('HEAD runs the handler of GET once and sends its head with the length of the body', async () => {
  const methods: string[] = [];
  const { server } = await serveRoutes([
    {
      path: '/text',
      handle: ({ method }) => {
        methods.push(method);
        return { status: 200, headers: { etag: '"1"' }, body: 'four' };
      },
    },
    { path: '/bytes', handle: () => ({ status: 206, headers: {}, body: new Uint8Array(5) }) },
    { path: '/stream', handle: () => ({ status: 200, headers: { 'content-length': '7' }, body: never() }) },
  ]);
  const text = await fetch(`${server.url}text`, { method: 'HEAD' });
  expect([text.status, text.headers.get('content-length'), text.headers.get('etag')]).toEqual([200, '4', '"1"']);
  expect(await text.text()).toBe('');
  expect(methods).toEqual(['GET']);
  const bytes = await fetch(`${server.url}bytes`, { method: 'HEAD' });
  expect([bytes.status, bytes.headers.get('content-length')]).toEqual([206, '5']);
  const stream = await fetch(`${server.url}stream`, { method: 'HEAD' });
  expect([stream.status, stream.headers.get('content-length')]).toEqual([200, '7']);
});

test('HEAD asks for no part', async () => {
  const { server } = await serveRoutes([
    {
      path: '/feed',
      handle: ({ headers }) =>
        headers.range === undefined
          ? { status: 200, headers: { 'content-length': '4' }, body: 'four' }
          : { status: 206, headers: { 'content-length': '1' }, body: 'f' },
    },
  ]);
  const statusOf = async (method: string) =>
    (await fetch(`${server.url}feed`, { method, headers: { range: 'bytes=0-0' } })).status;
  expect(await statusOf('GET')).toBe(206);
  expect(await statusOf('HEAD')).toBe(200);
});

test('a 304 and a 204 have no body and no length', async () => {
  const { server } = await serveRoutes([
    { path: '/304', handle: () => ({ status: 304, headers: { etag: '"1"', 'content-length': '5' }, body: 'xxxxx' }) },
    { path: '/204', handle: () => ({ status: 204, headers: { 'content-length': '5' } }) },
    { path: '/200', handle: () => ({ status: 200, headers: {} }) },
  ]);
  const unchanged = await fetch(`${server.url}304`);
  expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"1"']);
  expect(unchanged.headers.get('content-length')).toBeNull();
  expect((await fetch(`${server.url}204`)).headers.get('content-length')).toBeNull();
  expect((await fetch(`${server.url}200`)).headers.get('content-length')).toBe('0');
});

test('a path that is known answers another method with 405 and Allow, one that is not with 404', async () => {
  const { server } = await serveRoutes([
    { path: '/sources/:id' },
    { method: 'DELETE', path: '/sources/:id', access: 'admin' },
    { method: 'POST', path: '/sources/test' },
  ]);
  for (const method of ['PUT', 'PATCH', 'POST', 'OPTIONS', 'PROPFIND']) {
    const answer = await fetch(`${server.url}sources/docs`, { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'DELETE, GET, HEAD']);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 405, title: 'Method Not Allowed' });
  }
  expect((await fetch(`${server.url}sources/test`)).status).toBe(200);
  for (const path of ['nothing', 'sources', 'sources/', 'sources/a/b', 'SOURCES/docs']) {
    const answer = await fetch(server.url + path, { method: 'POST', body: '{bad', headers: { 'content-type': 'x/y' } });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ status: 404 });
  }
});

test('scripts of other origins may read what is meant for them, also when the answer is no', async () => {
  const { server } = await serveRoutes([
    { path: '/feed', cors: true, handle: () => ({ status: 304, headers: {} }) },
    { path: '/gone', cors: true, handle: () => ({ status: 410, headers: {} }) },
    { path: '/admin', cors: true, access: 'admin' },
    { path: '/plain' },
  ]);
  for (const [path, status] of [
    ['feed', 304],
    ['gone', 410],
    ['admin', 401],
  ] as const) {
    const answer = await fetch(server.url + path);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
  }
  const preflight = await fetch(`${server.url}feed`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-headers')).toBe(
    'If-None-Match, If-Modified-Since, Range, If-Range, Last-Event-ID, X-DiffDelta-Key',
  );
  expect((await fetch(`${server.url}feed`, { method: 'PUT' })).headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(`${server.url}plain`, { method: 'OPTIONS' })).status).toBe(405);
});

test.each([
  ['open', undefined, 200],
  ['open', 'Bearer wrong', 200],
  ['admin', undefined, 401],
  ['admin', 'Bearer wrong', 401],
  ['admin', RIGHT_TOKEN, 200],
  ['public-or-admin', undefined, 200],
  ['public-or-admin', 'Bearer wrong', 401],
  ['public-or-admin', RIGHT_TOKEN, 200],
] as const)('%s with %s is %i for every method', async (access, authorization, status) => {
  const { server } = await serveRoutes([
    { path: '/x', access },
    { method: 'POST', path: '/x', access },
    { method: 'DELETE', path: '/x', access },
  ]);
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
    const answer = await fetch(`${server.url}x`, { method, ...(authorization && { headers: { authorization } }) });
    expect([method, answer.status]).toEqual([method, status]);
    expect(answer.headers.get('www-authenticate') === null).toBe(status !== 401);
  }
});

test('requests are logged when that is wanted, with the address that a trusted proxy names', async () => {
  const { server, logged } = await serveRoutes([{ path: '/x' }], { logRequests: true, trustProxies: ['127.0.0.0/8'] });
  await fetch(`${server.url}x?q=secret`, { headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' } });
  expect(logged).toMatchObject([
    { level: 'debug', fields: { method: 'GET', path: '/x', status: 200, client: '203.0.113.9' } },
  ]);
});

test('nobody else is believed', async () => {
  for (const trustProxies of [[], ['10.0.0.0/8']]) {
    const { server, logged } = await serveRoutes([{ path: '/x' }], { logRequests: true, trustProxies });
    await fetch(`${server.url}x`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(logged).toMatchObject([{ fields: { client: '127.0.0.1' } }]);
  }
  await expect(serveRoutes([], { trustProxies: ['nonsense'] })).rejects.toThrow(SettingRefusedError);
});

test('a place where it cannot listen is named', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => resolve(Number(JSON.parse(JSON.stringify(other.address())).port)));
  });
  await expect(serveRoutes([], { port })).rejects.toMatchObject({
    name: 'ListenError',
    recovery: 'fix-config',
    message: `Port ${port} of 127.0.0.1 is in use by another program. Give another --port, or 0 for any that is free.`,
  });
  await expect(serveRoutes([], { host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is not an address of this machine.');
  await expect(serveRoutes([], { host: 'nowhere.invalid' })).rejects.toThrow('nowhere.invalid leads to no address.');
  await expect(serveRoutes([], { port: 70_000 })).rejects.toThrow('70000 is no port.');
});

test('the address that it prints leads to it', async () => {
  for (const host of ['127.0.0.1', '0.0.0.0', 'localhost']) {
    const { server } = await serveRoutes([{ path: '/' }], { host });
    expect(server.url).toBe(`http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${server.port}/`);
    expect((await fetch(server.url)).status).toBe(200);
  }
});

async function* never(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject(new Error('The body of a HEAD is read.'));
}
