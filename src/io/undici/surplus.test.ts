import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createTestAuthority } from '../../../test/support/test-ca.ts';
import { headOf, type OriginServer, startOriginServer } from '../../../test/torture/origin-server.ts';
import { BadResponseError } from '../../errors/fetch-error.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import { readBodyText } from '../../fetch/read-text.ts';
import { createUndiciHttpClient, type HttpClientOptions } from './http-client.ts';

const PAGE = 'The whole page is this. '.repeat(130);

test.each<[string, Record<string, string>]>([
  ['that stays open', {}],
  ['that says it closes', { connection: 'close' }],
])('a body with more bytes than announced is no answer, on a connection %s', async (_, headers) => {
  for (const surplus of [1, PAGE.length - 100]) {
    const length = `${PAGE.length - surplus}`;
    await using origin = await startOriginServer((socket) =>
      socket.write(headOf(200, { ...headers, 'content-length': length }) + PAGE),
    );
    await using client = openClient();
    await expect(textOf(client, origin), `${surplus} too many`).rejects.toThrow(BadResponseError);
    await expect(textOf(client, origin), 'asked again').rejects.toThrow(/more bytes came than were announced/);
  }
});

test('more bytes than announced are found in a later read of the socket, and in HTTP/1.0', async () => {
  await using later = await startOriginServer((socket) => {
    socket.write(headOf(200, { 'content-length': '100' }));
    setTimeout(() => socket.end(PAGE), 20);
  });
  await using old = await startOriginServer((socket) =>
    socket.end(`HTTP/1.0 200 OK\r\ncontent-length: 100\r\n\r\n${PAGE}`),
  );
  await using client = openClient();
  for (const origin of [later, old]) await expect(textOf(client, origin)).rejects.toThrow(BadResponseError);
});

test('a body of many reads is found out as well', async () => {
  const page = 'x'.repeat(3_000_000);
  await using origin = await startOriginServer((socket) =>
    socket.write(headOf(200, { 'content-length': `${page.length - 50_000}` }) + page),
  );
  await using client = openClient();
  await expect(textOf(client, origin)).rejects.toThrow(BadResponseError);
});

test('more bytes than announced are found under TLS', async () => {
  const authority = createTestAuthority();
  for (const connection of ['keep-alive', 'close']) {
    const server = createServer(authority.issue('docs.test'), (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(headOf(200, { connection, 'content-length': '100' }) + PAGE));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await using client = openClient({
      ca: authority.cert,
      lookup: (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await expect(textOf(client, { origin: `https://docs.test:${port}/` })).rejects.toThrow(BadResponseError);
  }
});

test('a second answer that nobody asked for makes the first one doubtful', async () => {
  await using origin = await startOriginServer((socket) => socket.write(answer('first') + answer('second')));
  await using client = openClient();
  await expect(textOf(client, origin)).rejects.toThrow(BadResponseError);
});

test('an answer to the byte counts, after one with too many bytes, and on one connection', async () => {
  await using origin = await startOriginServer((socket, { path }) =>
    socket.write(path === '/over' ? answer('words') + PAGE : answer('words')),
  );
  await using client = openClient();
  await expect(textOf(client, origin, '/over')).rejects.toThrow(BadResponseError);
  for (let round = 0; round < 20; round += 1) expect(await textOf(client, origin)).toBe('words');
  expect(origin.connections).toBe(2);
});

test('another origin is not to blame', async () => {
  await using over = await startOriginServer((socket) => socket.write(answer('words') + PAGE));
  await using good = await startOriginServer((socket) => socket.write(answer('words')));
  await using client = openClient();
  const [broken, whole] = await Promise.allSettled([textOf(client, over), textOf(client, good)]);
  expect([broken.status, whole.status]).toEqual(['rejected', 'fulfilled']);
});

test('an answer without a body says what it says, whatever follows it; an empty line after a body is nothing', async () => {
  await using origin = await startOriginServer((socket, { path }) =>
    socket.write(path === '/304' ? headOf(304, {}) + PAGE : `${answer('words')}\r\n`),
  );
  await using client = openClient();
  expect(await textOf(client, origin, '/304')).toBe('');
  expect(await textOf(client, origin)).toBe('words');
});

function answer(body: string): string {
  return headOf(200, { 'content-length': `${body.length}` }) + body;
}

function openClient(options: Partial<HttpClientOptions> = {}): HttpClient {
  return createUndiciHttpClient({ allowPrivate: true, userAgent: 'test', deadlineMs: 3000, ...options });
}

async function textOf(client: HttpClient, { origin }: Pick<OriginServer, 'origin'>, path = '/page'): Promise<string> {
  return await readBodyText(await client.get({ url: new URL(path, origin) }), { maxBytes: 1e7 });
}
