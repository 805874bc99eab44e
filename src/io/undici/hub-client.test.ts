import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createTestAuthority } from '../../../test/support/test-ca.ts';
import { createHubClient } from './hub-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function startServer(answer: Answer, tls?: { readonly key: string; readonly cert: string }) {
  const asked: string[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'} ${body}`);
    answer(request, response, body);
  };
  const server = tls === undefined ? createPlainServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const respond = (response: ServerResponse, status: number, body: unknown = '', headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

test('sends the token and the body, below the path of the hub, and gives the JSON back', async () => {
  await using server = await startServer((_, response, body) => respond(response, 201, { got: JSON.parse(body) }));
  const hub = `http://127.0.0.1:${server.port}/tidings/`;
  await using client = createHubClient({ hub, token: 'tdg_secret' });
  const answer = await client.ask({ method: 'POST', path: 'api/v1/sources', body: { id: 'a' } });
  expect(answer).toEqual({ got: { id: 'a' } });
  expect(server.asked).toEqual(['POST /tidings/api/v1/sources Bearer tdg_secret {"id":"a"}']);
});

test('an answer without a body is nothing', async () => {
  await using server = await startServer((_, response) => response.writeHead(204).end());
  await using client = createHubClient({ hub: `http://127.0.0.1:${server.port}/` });
  expect(await client.ask({ method: 'DELETE', path: 'api/v1/sources/a' })).toBeUndefined();
  expect(server.asked).toEqual(['DELETE /api/v1/sources/a - ']);
});

test.each<[string, number, unknown, Record<string, string>, object, RegExp]>([
  [
    'a problem',
    409,
    { detail: 'It exists.', code: 'SourceExistsError' },
    {},
    { recovery: 'fix-input' },
    /: It exists\.$/,
  ],
  ['a fixed source', 409, { detail: 'x', code: 'SourceFixedError' }, {}, { recovery: 'fix-config' }, /x$/],
  ['an unknown one', 404, { detail: 'x', code: 'SourceUnknownError' }, {}, { recovery: 'fix-input' }, /x$/],
  ['only a title', 400, { title: 'Bad' }, {}, { recovery: 'fix-config', status: 400 }, /: Bad$/],
  ['a wrong token', 401, { detail: 'No.' }, {}, { recovery: 'fix-config' }, /TIDINGS_TOKEN/],
  ['a full disk', 503, { detail: 'Full.' }, {}, { recovery: 'retry-later' }, /Full\.$/],
  ['no problem document', 404, '<html>', {}, { recovery: 'fix-config' }, /status 404.*address of a hub/],
  ['a page', 200, '<html>', {}, { recovery: 'fix-config' }, /no JSON/],
  ['a redirect', 307, '', { location: 'http://other.example/' }, {}, /redirects to http:\/\/other\.example\//],
])('%s is one line', async (_, status, body, headers, fields, message) => {
  await using server = await startServer((_request, response) => respond(response, status, body, headers));
  await using client = createHubClient({ hub: `http://127.0.0.1:${server.port}/`, token: 'tdg_secret' });
  const error = await client.ask({ method: 'GET', path: 'api/v1/sources' }).then(String, (reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'HubAnswerError', ...fields, message: expect.stringMatching(message) });
  expect(String(error)).not.toMatch(/tdg_secret|\n/);
  expect(server.asked).toHaveLength(1);
});

test('nobody there, nobody who answers in time, one who stops halfway, and a user who gives up', async () => {
  await using silent = await startServer(() => {});
  await using cut = await startServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a":');
    setImmediate(() => response.destroy());
  });
  await using gone = await startServer(() => {});
  await gone[Symbol.asyncDispose]();
  const stop = new AbortController();
  const ask = async (port: number, signal?: AbortSignal) => {
    await using client = createHubClient({ hub: `http://127.0.0.1:${port}/`, ...(signal && { signal }) });
    return await client.ask({ method: 'GET', path: 'x', deadlineMs: 200 });
  };
  await expect(ask(gone.port)).rejects.toMatchObject({ name: 'ConnectionError' });
  await expect(ask(silent.port)).rejects.toMatchObject({ name: 'DeadlineError' });
  await expect(ask(cut.port)).rejects.toMatchObject({ recovery: 'retry-later' });
  const given = ask(silent.port, stop.signal);
  stop.abort();
  await expect(given).rejects.toMatchObject({ name: 'FetchAbortedError' });
});

test('a hub whose certificate nobody vouches for is refused, and trusted with its authority', async () => {
  const authority = createTestAuthority();
  await using server = await startServer((_, response) => respond(response, 200, {}), authority.issue('localhost'));
  const hub = `https://localhost:${server.port}/`;
  await using stranger = createHubClient({ hub, token: 'tdg_secret' });
  await expect(stranger.ask({ method: 'GET', path: 'x' })).rejects.toMatchObject({ name: 'TlsError' });
  expect(server.asked).toEqual([]);
  await using friend = createHubClient({ hub, ca: authority.cert });
  expect(await friend.ask({ method: 'GET', path: 'x' })).toEqual({});
});
