import { expect, test } from 'vitest';
import { CLOSE, ECHO, HELLO, post, refusal } from '../../../test/support/raw-requests.ts';
import { exchangeBytes, serveRoutes } from '../../../test/support/serve-routes.ts';
import type { Route } from '../../hub/http/route.ts';

const SECRET: Partial<Route> = {
  path: '/files/:name',
  handle: ({ params }) => ({ status: 200, headers: {}, body: params.name ?? '' }),
};

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
