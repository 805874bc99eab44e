import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnFreshPort } from '../../../test/support/fresh-port.ts';
import {
  AddressRefusedError,
  BodyTooLargeError,
  ConnectionError,
  DeadlineError,
  FetchAbortedError,
  RedirectRefusedError,
} from '../../errors/fetch-error.ts';
import { readBodyText } from '../../fetch/read-text.ts';
import { createUndiciHttpClient } from './http-client.ts';

test('what is sent arrives whole, and its answer comes back', async () => {
  const origin = await startEcho();
  const http = openClient();
  const response = await http.post({
    url: new URL('/in?x=1', origin),
    body: 'a=1&b=ü',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    secretHeaders: { authorization: 'Bearer key' },
  });
  expect(response.status).toBe(201);
  expect(JSON.parse(await readBodyText(response, { maxBytes: 10_000 }))).toMatchObject({
    method: 'POST',
    url: '/in?x=1',
    body: 'a=1&b=ü',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '8',
      authorization: 'Bearer key',
      'user-agent': 'tidings-test',
    },
  });
});

test('bytes and an empty body are sent as they are', async () => {
  const origin = await startEcho();
  const http = openClient();
  const bytes = await http.post({ url: new URL(origin), body: Uint8Array.of(0x61, 0, 0x62) });
  expect(JSON.parse(await readBodyText(bytes, { maxBytes: 10_000 }))).toMatchObject({ body: 'a\u0000b' });
  const empty = await http.post({ url: new URL(origin), body: '' });
  expect(JSON.parse(await readBodyText(empty, { maxBytes: 10_000 }))).toMatchObject({
    method: 'POST',
    body: '',
    headers: { 'content-length': '0' },
  });
});

test.each([301, 302, 303, 307, 308])('a redirect (%d) is an answer, and nobody else is asked', async (status) => {
  const asked: string[] = [];
  const origin = await start((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, { location: '/elsewhere' }).end('moved');
  });
  const response = await openClient().post({ url: new URL(origin), body: 'secret' });
  expect(response).toMatchObject({ status, url: new URL(origin) });
  expect(response.redirects).toBeUndefined();
  await response.discard();
  expect(asked).toEqual(['/']);
});

test('a private address is sent nothing, nor is another scheme or a URL with a password', async () => {
  let asked = 0;
  const origin = await start((_, response) => {
    asked += 1;
    response.end();
  });
  const guarded = openClient(false);
  const { port } = new URL(origin);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
    const sending = guarded.post({ url: new URL(`http://${host}:${port}/`), body: 'x' });
    await expect(sending, host).rejects.toThrow(AddressRefusedError);
  }
  expect(asked).toBe(0);
  await expect(openClient().post({ url: new URL('ftp://127.0.0.1/'), body: '' })).rejects.toThrow(RedirectRefusedError);
  const withPassword = new URL(origin);
  withPassword.password = 'secret';
  await expect(openClient().post({ url: withPassword, body: '' })).rejects.toThrow(/user name or a password/);
});

test('deadline, signal, cap and a broken connection end it as they end a read', async () => {
  const origin = await start((request, response) => {
    if (request.url === '/reset') request.socket.resetAndDestroy();
    else if (request.url === '/large') response.end('x'.repeat(1000));
  });
  const http = openClient();
  const silent = new URL('/silent', origin);
  await expect(http.post({ url: silent, body: 'x', deadlineMs: 100 })).rejects.toThrow(DeadlineError);
  const stopped = http.post({ url: silent, body: 'x', signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow(FetchAbortedError);
  await expect(http.post({ url: new URL('/reset', origin), body: 'x' })).rejects.toThrow(ConnectionError);
  const large = await http.post({ url: new URL('/large', origin), body: 'x', maxBodyBytes: 999 });
  await expect(readBodyText(large, { maxBytes: 10_000 })).rejects.toThrow(BodyTooLargeError);
});

test('a read after what was sent is a read', async () => {
  const origin = await startEcho();
  const http = openClient();
  await (await http.post({ url: new URL(origin), body: 'x' })).discard();
  const response = await http.get({ url: new URL(origin) });
  expect(JSON.parse(await readBodyText(response, { maxBytes: 10_000 }))).toMatchObject({ method: 'GET', body: '' });
});

function openClient(allowPrivate = true) {
  const http = createUndiciHttpClient({ allowPrivate, userAgent: 'tidings-test' });
  onTestFinished(() => http[Symbol.asyncDispose]());
  return http;
}

/** A server that answers 201 with what it was sent. */
async function startEcho(): Promise<string> {
  return await start(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { method, url, headers } = request;
    response.writeHead(201).end(JSON.stringify({ method, url, headers, body }));
  });
}

async function start(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  const port = await listenOnFreshPort(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}/`;
}
