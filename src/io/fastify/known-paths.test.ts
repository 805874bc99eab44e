import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeBytes, RIGHT_TOKEN, type ServedRoutes, serveRoutes } from '../../../test/support/serve-routes.ts';
import type { HubRequest, Route } from '../../hub/http/route.ts';
import { KnownPaths } from './known-paths.ts';

/** Says all that a handler sees of a request. */
function echo(request: HubRequest) {
  const { method, params, query, headers, clientIp, isAdmin, body } = request;
  const seen = { method, params, query: [...query], range: headers.range, clientIp, isAdmin, body };
  return { status: 200, headers: { 'content-type': 'application/json', etag: '"1"' }, body: JSON.stringify(seen) };
}

const ROUTES: readonly Partial<Route>[] = [
  { path: '/x', cors: true, handle: echo },
  { path: '/p/:file', handle: echo },
  { path: '/admin', access: 'admin', handle: echo },
  { path: '/both', access: 'public-or-admin', cors: true, handle: echo },
  { path: '/once', withoutHead: true, handle: echo },
  { path: '/late', handle: async (request) => echo(request) },
  { path: '/bug', handle: () => JSON.parse('nonsense') },
  { path: '/x', method: 'POST', cors: true, handle: echo },
];
const OPTIONS = { hosts: ['h'], trustProxies: ['127.0.0.1'], logRequests: true, limits: { urlCharacters: 300 } };
const CLOSE = 'Connection: close\r\n\r\n';
const line = (target: string, more = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 198.51.100.7\r\n${more}${CLOSE}`;
const PATHS = ['/x', '/p/1', '/p/a%20b', '/admin', '/both', '/once', '/late', '/bug'];

const REQUESTS: Readonly<Record<string, string>> = {
  'a path': line('/x'),
  'a path with a query': line('/x?a=1&a=2'),
  'a path with a parameter': line('/p/1'),
  'a path with an encoded parameter': line('/p/a%20b?q'),
  'an answer that is waited for': line('/late'),
  'a handler that fails': line('/bug'),
  HEAD: line('/x', 'Range: bytes=0-1\r\n', 'HEAD'),
  'HEAD where there is none': line('/once', '', 'HEAD'),
  OPTIONS: line('/x', '', 'OPTIONS'),
  'another method': line('/x', '', 'DELETE'),
  'a method with a body': line('/x', 'Content-Type: application/json\r\nContent-Length: 2\r\n', 'POST').concat('[]'),
  'a body where none is read': line('/x', 'Content-Length: 2\r\n').concat('[]'),
  'the absolute form': line('http://h/x'),
  'another host': `GET /x HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}`,
  'no host': `GET /x HTTP/1.1\r\n${CLOSE}`,
  'two hosts': `GET /x HTTP/1.1\r\nHost: h\r\nHost: h\r\n${CLOSE}`,
  'HTTP/1.0': `GET /x HTTP/1.0\r\n${CLOSE}`,
  'a dot segment': line('/p/../x'),
  'an encoded slash': line('/p/1%2fx'),
  'an empty segment': line('//x'),
  'a long query': line(`/x?${'q'.repeat(300)}`),
  'a path that nobody has': line('/x/'),
  'the same path in capitals': line('/X'),
  'an expectation': line('/x', 'Expect: nonsense\r\n'),
  '100-continue': line('/x', 'Expect: 100-continue\r\n'),
  'no token': line('/admin'),
  'a wrong token': line('/admin', 'Authorization: Bearer wrong\r\n'),
  'the right token': line('/admin', `Authorization: ${RIGHT_TOKEN}\r\n`),
  'a wrong token where none is needed': line('/both', 'Authorization: Bearer wrong\r\n'),
  'the right token where none is needed': line('/both', `Authorization: ${RIGHT_TOKEN}\r\n`),
};

/** The answer to a request, what is logged of it, and which series counts it. */
async function exchange({ server, logged, metrics }: ServedRoutes, request: string) {
  const [before, loggedBefore] = [await countsOf(metrics), logged.length];
  const answer = (await exchangeBytes(server.port, request)).replace(/^date: .*\r\n/im, '');
  const lines = logged.slice(loggedBefore).map(({ level, message, fields: { tookMs: _, error: __, ...fields } }) => {
    return { level, message, ...fields };
  });
  const counted = [...(await countsOf(metrics))].filter(([series, count]) => count !== (before.get(series) ?? 0));
  return { answer, lines, counted: counted.map(([series]) => series) };
}

async function countsOf(metrics: ServedRoutes['metrics']): Promise<Map<string, number>> {
  const lines = (await metrics.render()).matchAll(/^tidings_http_requests_total(\S+) (\d+)$/gm);
  return new Map([...lines].map(([, series = '', count]) => [series, Number(count)]));
}

/** Counts the requests that reach a handler by way of Fastify. */
function countRouted(): () => number {
  let routed = 0;
  const count = () => void routed++;
  const channel = 'tracing:fastify.request.handler:start';
  subscribe(channel, count);
  onTestFinished(() => void unsubscribe(channel, count));
  return () => routed;
}

test('a path that is known is answered, refused, logged and counted as one that is not', async () => {
  const routed = countRouted();
  const warm = await serveRoutes(ROUTES, OPTIONS);
  for (const path of PATHS) await exchangeBytes(warm.server.port, line(path));
  expect(routed()).toBe(PATHS.length);
  const statuses = new Map<string, string>();
  for (const [name, request] of Object.entries(REQUESTS)) {
    const before = routed();
    const known = await exchange(warm, request);
    const isRouted = routed() > before;
    expect([name, isRouted]).toEqual([name, name === 'a method with a body']);
    const fresh = await exchange(await serveRoutes(ROUTES, OPTIONS), request);
    expect([name, known]).toEqual([name, fresh]);
    statuses.set(name, known.answer.slice(9, 12));
  }
  const wanted = {
    'a path': '200',
    HEAD: '200',
    OPTIONS: '204',
    'another host': '421',
    'no token': '401',
    'a dot segment': '400',
  };
  expect(Object.fromEntries(statuses)).toMatchObject(wanted);
});

test('the router is asked once for a path', () => {
  const paths = new KnownPaths();
  const asked: string[] = [];
  const answered: unknown[] = [];
  const listener = paths.before(({ url = '' }) => {
    asked.push(url);
    paths.keep(url, { params: { at: url }, answer: (_request, _response, params) => answered.push(params) });
  });
  const ask = (method: string, url: string) => listener({ method, url } as never, {} as never);
  ask('GET', '/a?b');
  ask('GET', '/a');
  ask('HEAD', '/a?c');
  ask('POST', '/a');
  expect(asked).toEqual(['/a?b', '/a']);
  expect(answered).toEqual([{ at: '/a?b' }, { at: '/a?b' }]);
});

test('what is known stays small whatever is asked', () => {
  const paths = new KnownPaths();
  const found = { params: {}, answer: () => undefined };
  const isKnown = (url: string) => paths.find({ method: 'GET', url } as never) !== undefined;
  for (let number = 0; number < 10_000; number++) paths.keep(`/aicf/${number}`, found);
  const known = Array.from({ length: 10_000 }, (_, number) => isKnown(`/aicf/${number}`)).filter(Boolean).length;
  expect(known).toBeGreaterThan(0);
  expect(known).toBeLessThanOrEqual(2000);
  paths.keep(`/aicf/x?${'q'.repeat(8000)}`, found);
  expect(isKnown('/aicf/x')).toBe(false);
});
