import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  exchangeBytes,
  openSocket,
  RIGHT_TOKEN,
  readToEnd,
  readUntil,
  serveRoutes,
} from '../../../test/support/serve-routes.ts';
import type { Route } from '../../hub/http/route.ts';

const ECHO: Partial<Route> = {
  method: 'POST',
  path: '/echo',
  handle: ({ body }) => ({ status: 200, headers: {}, body: JSON.stringify(body ?? 'no body') }),
};
const HELLO: Partial<Route> = { path: '/x' };
const SECRET: Partial<Route> = {
  path: '/files/:name',
  handle: ({ params }) => ({ status: 200, headers: {}, body: params.name ?? '' }),
};
const CLOSE = 'Connection: close\r\n\r\n';

const post = (headers: string, body: string) =>
  `POST /echo HTTP/1.1\r\nHost: h\r\n${headers}Connection: close\r\n\r\n${body}`;
const json = (body: string, type = 'application/json') =>
  post(`Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body);

/** The status, once the rest is seen to be a whole problem document that says the same. */
function refusal(answer: string): number {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  expect(head.toLowerCase(), answer).toContain('content-type: application/problem+json');
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(JSON.parse(body)).toMatchObject({ status });
  return status;
}

test.each([
  ['headers of 17 KB', `GET /x HTTP/1.1\r\nHost: h\r\nX-A: ${'a'.repeat(17_000)}\r\n${CLOSE}`, 431],
  ['many small headers', `GET /x HTTP/1.1\r\nHost: h\r\n${'Xxxxxxx: yyyyyyyy\r\n'.repeat(1200)}${CLOSE}`, 431],
  ['a URL of 9 KB', `GET /x?${'a'.repeat(9000)} HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 414],
  ['a URL of 40 KB', `GET /x?${'a'.repeat(40_000)} HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 414],
  ['a path of 9 KB', `GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 414],
  ['no Host', `GET /x HTTP/1.1\r\n${CLOSE}`, 400],
  ['two Hosts', `GET /x HTTP/1.1\r\nHost: h\r\nhOST: i\r\n${CLOSE}`, 400],
  ['the same Host twice', `GET /x HTTP/1.0\r\nHost: h\r\nHost: h\r\n${CLOSE}`, 400],
  ['a Host with a path', `GET /x HTTP/1.1\r\nHost: h/x\r\n${CLOSE}`, 400],
  ['a Host with a user', `GET /x HTTP/1.1\r\nHost: u@h\r\n${CLOSE}`, 400],
  ['a list of Hosts', `GET /x HTTP/1.1\r\nHost: h, i:80:90\r\n${CLOSE}`, 400],
  ['two lengths', `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nContent-Length: 3\r\n${CLOSE}{}`, 400],
  [
    'a length and chunks',
    `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n${CLOSE}0\r\n\r\n`,
    400,
  ],
  ['an unknown transfer coding', `POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, x\r\n${CLOSE}`, 400],
  ['a negative length', `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n${CLOSE}`, 400],
  ['a bad chunk', post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n{}'), 400],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a space before a colon', `GET /x HTTP/1.1\r\nHost : h\r\n${CLOSE}`, 400],
  ['a folded header', `GET /x HTTP/1.1\r\nHost: h\r\nX-A: a\r\n b\r\n${CLOSE}`, 400],
  ['an unknown method', `HELLO /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 400],
  ['a proxy’s CONNECT', `CONNECT a.example:443 HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 405],
  ['TRACE', `TRACE /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 405],
  ['OPTIONS of everything', `OPTIONS * HTTP/1.1\r\nHost: h\r\n${CLOSE}`, 400],
  ['an odd expectation', `GET /x HTTP/1.1\r\nHost: h\r\nExpect: 200-maybe\r\n${CLOSE}`, 417],
])('%s is refused', async (_, request, status) => {
  const { server, logged } = await serveRoutes([ECHO, HELLO]);
  expect(refusal(await exchangeBytes(server.port, request))).toBe(status);
  expect(logged).toEqual([]);
});

test.each([
  ['/../x', '/files/../x', '/files/..', '/files/%2e%2e', '/files/%2e%2e%2fx', '/files/..%2fx', '/files/a%2fb'],
  [
    '/files/%00',
    '/files/a%00b',
    '//x',
    '/x//',
    '/files//x',
    '/files/\\..\\x',
    '/files/a%5cb',
    '/files/%',
    '/files/%zz',
  ],
  ['/files/%c0%ae%c0%ae', '/files/%ff', '/x%0d%0aX-A:b', '/x#y', 'x', 'http://', 'http://h/../x', 'file:///x'],
])('tricks with the path lead nowhere: %s …', async (...targets) => {
  const { server, logged } = await serveRoutes([HELLO, SECRET]);
  for (const target of targets) {
    const answer = await exchangeBytes(server.port, `GET ${target} HTTP/1.1\r\nHost: h\r\n${CLOSE}`);
    expect([target, refusal(answer)]).toEqual([target, 400]);
  }
  expect(logged).toEqual([]);
});

test.each([
  ['an absolute target', `GET http://other.example/x?y HTTP/1.1\r\nHost: h\r\n${CLOSE}`],
  ['an encoded letter', `GET /%78 HTTP/1.1\r\nHost: h\r\n${CLOSE}`],
  ['HTTP/1.0 without Host', 'GET /x HTTP/1.0\r\n\r\n'],
  ['a long query', `GET /x?${'a=b&'.repeat(1900)} HTTP/1.1\r\nHost: h\r\n${CLOSE}`],
  ['a wish to upgrade', `GET /x HTTP/1.1\r\nHost: h\r\nUpgrade: h2c, websocket\r\nConnection: upgrade, close\r\n\r\n`],
  ['a body nobody asked for', `GET /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n${CLOSE}12345`],
])('%s is answered', async (_, request) => {
  const { server } = await serveRoutes([HELLO]);
  expect(await exchangeBytes(server.port, request)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*hello$/s);
});

test.each([
  ['text', json('{}', 'text/plain'), 415],
  ['a form', json('a=b', 'application/x-www-form-urlencoded'), 415],
  ['a type that begins like JSON', json('{}', 'application/json-seq'), 415],
  ['no type', post('Content-Length: 2\r\n', '{}'), 415],
  ['a type that is none', json('{}', ';;'), 415],
  ['gzip', post('Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n', '{}'), 415],
  ['no JSON', json('{"a":'), 400],
  ['a key for prototypes', json('{"a":[{"__proto__":{"b":1}}]}'), 400],
  ['an escaped key for prototypes', json('{"\\u005f_proto__":1}'), 400],
  ['a constructor with a prototype', json('{"constructor":{"prototype":{"b":1}}}'), 400],
  ['great depth', json('['.repeat(200_000)), 400],
  ['a key twice', json('{"a":{"b":1,"b":2}}'), 400],
  ['depth', json(`${'{"a":['.repeat(40)}${']}'.repeat(40)}`), 400],
  ['1 MB and more', json(JSON.stringify('x'.repeat(1024 * 1024))), 413],
])('a body of %s is refused', async (_, request, status) => {
  const { server, logged } = await serveRoutes([ECHO]);
  expect(refusal(await exchangeBytes(server.port, request))).toBe(status);
  expect(logged).toEqual([]);
});

test.each(['', 'h', 'h:', 'h:8080', 'a_b.example', '127.0.0.1:80', '[::1]:80', '[::ffff:1.2.3.4]'])(
  'the Host %j is one',
  async (host) => {
    const { server } = await serveRoutes([HELLO]);
    expect(await exchangeBytes(server.port, `GET /x HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}`)).toContain(' 200 OK');
  },
);

test('a CONNECT is told what can be asked instead', async () => {
  const { server } = await serveRoutes([HELLO]);
  const answer = await exchangeBytes(server.port, `CONNECT a.example:443 HTTP/1.1\r\nHost: h\r\n${CLOSE}`);
  expect(answer).toMatch(/^allow: GET, HEAD\r$/m);
});

test('a body that is not UTF-8 is refused', async () => {
  const { server } = await serveRoutes([ECHO]);
  const head = post('Content-Type: application/json\r\nContent-Length: 4\r\n', '');
  const request = Buffer.concat([Buffer.from(head), Buffer.from([0x22, 0xc3, 0x28, 0x22])]);
  expect(refusal(await exchangeBytes(server.port, request))).toBe(400);
});

test.each([
  ['brackets in text', JSON.stringify(`${'['.repeat(500)}\\"`)],
  ['a plain constructor', '{"constructor":"acme"}'],
  ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`],
])('a body with %s is read', async (_, body) => {
  const { server } = await serveRoutes([ECHO]);
  expect(await exchangeBytes(server.port, json(body))).toContain(`\r\n\r\n${body}`);
});

test('no body is no body', async () => {
  const { server } = await serveRoutes([ECHO]);
  expect(await exchangeBytes(server.port, json(''))).toContain('"no body"');
  expect(await exchangeBytes(server.port, post('Content-Length: 0\r\n', ''))).toContain('"no body"');
});

test('a chunked body without a length is cut off at the limit', async () => {
  const { server } = await serveRoutes([ECHO], { limits: { bodyBytes: 10_000 } });
  const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
  const socket = await openSocket(server.port);
  socket.write(post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', chunk.repeat(1000)));
  expect(refusal(await readToEnd(socket))).toBe(413);
});

test('who may not ask is told so before the body, however large it is', async () => {
  let calls = 0;
  const handle = () => {
    calls += 1;
    return { status: 200, headers: {} };
  };
  const { server } = await serveRoutes([{ method: 'POST', path: '/echo', access: 'admin', handle }]);
  const large = 'Content-Type: application/json\r\nContent-Length: 3000000\r\n';
  const socket = await openSocket(server.port);
  socket.write(post(large, 'x'.repeat(3_000_000)));
  expect(refusal(await readToEnd(socket))).toBe(401);
  expect(refusal(await exchangeBytes(server.port, post(`${large}Expect: 100-continue\r\n`, '')))).toBe(401);
  expect(calls).toBe(0);

  const allowed = await openSocket(server.port);
  allowed.write(
    post(
      `Authorization: ${RIGHT_TOKEN}\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`,
      '',
    ),
  );
  expect(await readUntil(allowed, (text) => text.includes('\r\n\r\n'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  allowed.write('{}');
  expect(await readToEnd(allowed)).toMatch(/^HTTP\/1\.1 200 /);
  expect(calls).toBe(1);
});

test('what leads nowhere is refused without waiting for its body', async () => {
  const { server } = await serveRoutes([HELLO]);
  for (const [path, status] of [
    ['/nothing', 404],
    ['/x', 405],
  ] as const) {
    const socket = await openSocket(server.port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`);
    expect(refusal(await readUntil(socket, (text) => text.endsWith('}\n')))).toBe(status);
  }
});

test('a refused body of a moderate size leaves the connection of use', async () => {
  const { server } = await serveRoutes([HELLO]);
  const next = `GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`;
  const answer = await exchangeBytes(
    server.port,
    `POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}${next}`,
  );
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 200']);
});

test('requests in one go are answered in their order', async () => {
  const { server } = await serveRoutes([
    { path: '/slow', handle: async () => ({ status: 200, headers: {}, body: await nextTurn('slow') }) },
    HELLO,
  ]);
  const requests = `GET /slow HTTP/1.1\r\nHost: h\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\n\r\nGET /no HTTP/1.1\r\nHost: h\r\n${CLOSE}`;
  const answer = await exchangeBytes(server.port, requests);
  expect(answer.match(/HTTP\/1\.1 \d+|slow|hello/g)).toEqual([
    'HTTP/1.1 200',
    'slow',
    'HTTP/1.1 200',
    'hello',
    'HTTP/1.1 404',
  ]);
});

test.each([
  ['headers that do not end', 'GET /x HTTP/1.1\r\nHost: h\r\n'],
  ['a body that does not come', post('Content-Type: application/json\r\nContent-Length: 10\r\n', '{')],
])('%s are given up in time', async (_, request) => {
  const { server, logged } = await serveRoutes([ECHO], { limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
  expect(refusal(await exchangeBytes(server.port, request))).toBe(408);
  expect(logged).toEqual([]);
});

test('a connection that waits too long for its next request is ended', async () => {
  const { server } = await serveRoutes([HELLO], { limits: { keepAliveMs: 50 } });
  const answer = await exchangeBytes(server.port, 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
  expect(answer).toContain('hello');
});

test('more connections than allowed are turned away, and that is said once', async () => {
  const { server, logged } = await serveRoutes([HELLO], { limits: { connections: 2 } });
  const kept = [await openSocket(server.port), await openSocket(server.port)];
  for (const _ of [1, 2, 3]) {
    const extra = connect({ port: server.port, host: '127.0.0.1' });
    onTestFinished(() => void extra.destroy());
    expect(await readToEnd(extra)).toBe('');
  }
  expect(logged).toMatchObject([{ level: 'warn', fields: { connections: 2 } }]);
  for (const socket of kept) {
    socket.end(`GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`);
    expect(await readToEnd(socket)).toContain('hello');
  }
  expect((await fetch(`${server.url}x`)).status).toBe(200);
});

test('garbage behind a request whose answer is on its way ends the connection without a word into it', async () => {
  const { server } = await serveRoutes([
    {
      path: '/stream',
      handle: ({ signal }) => ({ status: 200, headers: {}, body: oneThenWait(signal) }),
    },
  ]);
  const socket = await openSocket(server.port);
  socket.write('GET /stream HTTP/1.1\r\nHost: h\r\n\r\n');
  const start = await readUntil(socket, (text) => text.includes('first'));
  socket.write('garbage\r\n\r\n');
  expect(start + (await readToEnd(socket))).not.toContain('400');
});

async function nextTurn(text: string): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return text;
}

async function* oneThenWait(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  if (!signal.aborted) await once(signal, 'abort');
}

test('a client has so many connections and no more, until one of them ends', async () => {
  const { server, logged } = await serveRoutes([HELLO], { limits: { connectionsPerClient: 3 } });
  const open = [await openSocket(server.port), await openSocket(server.port), await openSocket(server.port)];
  // Taken in the order in which they came: an answer on the last one tells that all are counted.
  open[2]?.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
  if (open[2] !== undefined) await readUntil(open[2], (text) => text.includes('hello'));
  for (let more = 0; more < 2; more++) {
    const answer = await readToEnd(await openSocket(server.port));
    expect(refusal(answer)).toBe(429);
    expect(answer).toContain('3 connections');
  }
  expect(logged).toHaveLength(1);
  open[0]?.destroy();
  await expect
    .poll(() => exchangeBytes(server.port, `GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`), { timeout: 20_000 })
    .toContain(' 200 OK');
});

test.each([
  ['trusted proxies', { trustProxies: ['127.0.0.0/8'], limits: { connectionsPerClient: 1 } }],
  ['no limit', { limits: { connectionsPerClient: 0 } }],
])('connections are not counted: %s', async (_, options) => {
  const { server } = await serveRoutes([HELLO], options);
  for (let count = 0; count < 5; count++) await openSocket(server.port);
  expect(await exchangeBytes(server.port, `GET /x HTTP/1.1\r\nHost: h\r\n${CLOSE}`)).toContain(' 200 OK');
});

test.each([
  ['a large answer', 1, 40 * 1024 * 1024],
  ['many small answers in one go', 3000, 60_000],
])('a client that asks for %s and does not read it is cut off', async (_, requests, size) => {
  const handle = () => ({ status: 200, headers: {}, body: 'x'.repeat(size) });
  const { server, logged } = await serveRoutes([{ path: '/x', handle }], { limits: { stallMs: 100 } });
  const socket = await openSocket(server.port);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n'.repeat(requests));
  await expect
    .poll(() => logged.map(({ message }) => message), { timeout: 20_000 })
    .toEqual([expect.stringContaining('too slowly')]);
});

test('a server with names of its own answers to no other', async () => {
  const hosts = ['localhost', '127.0.0.1', '[::1]', 'hub.example'];
  const { server, logged } = await serveRoutes([HELLO], { hosts });
  const ask = (host: string) => exchangeBytes(server.port, `GET /x HTTP/1.1\r\n${host}${CLOSE}`);
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:1', '[::1]:80', 'hub.example', 'Hub.Example:443', '']) {
    expect([host, (await ask(`Host: ${host}\r\n`)).slice(9, 12)]).toEqual([host, '200']);
  }
  for (const host of ['evil.example', 'evil.example:8080', 'hub.example.evil.example', '127.0.0.2', '[::2]']) {
    const answer = await ask(`Host: ${host}\r\n`);
    expect([host, refusal(answer)]).toEqual([host, 421]);
    expect(answer).toContain('baseUrl');
  }
  expect(logged).toEqual([]);
});
