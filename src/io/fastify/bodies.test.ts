import { expect, test } from 'vitest';
import { CLOSE, ECHO, HELLO, post, refusal } from '../../../test/support/raw-requests.ts';
import {
  exchangeBytes,
  openSocket,
  RIGHT_TOKEN,
  readToEnd,
  readUntil,
  serveRoutes,
} from '../../../test/support/serve-routes.ts';

const json = (body: string, type = 'application/json') =>
  post(`Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body);

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
