import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { embeddingOf, startEmbeddingServer } from '../../test/support/embedding-server.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { createHttpEmbedder } from './http-embedder.ts';

const signal = new AbortController().signal;
const refuse =
  (status: number, headers: Record<string, string> = {}, body = '{}') =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

async function openLab() {
  const server = await startEmbeddingServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  onTestFinished(() => http[Symbol.asyncDispose]());
  const waited: number[] = [];
  const wait = async (ms: number) => void waited.push(ms);
  const key = 'secret-test-key';
  const embedder = createHttpEmbedder({ url: server.url, model: 'm', key, http, now: () => 0, wait });
  return { server, embedder, waited };
}

test('vectors come in the order of the texts, whatever the order of the answer', async () => {
  const { server, embedder } = await openLab();
  const texts = ['one', 'three', 'eleven'];
  expect(await embedder.embed(texts, signal)).toEqual({ vectors: texts.map(embeddingOf), tokens: 30 });
  expect(server.requests).toEqual([{ model: 'm', count: 3, authorization: 'Bearer secret-test-key' }]);
});

test('a server that asks for a pause gets it', async () => {
  const { server, embedder, waited } = await openLab();
  server.instead.push(
    refuse(429, { 'retry-after': '7' }),
    refuse(503, { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0.5s' }),
    refuse(429, { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' }),
    refuse(500),
  );
  await expect(embedder.embed(['text'], signal)).rejects.toMatchObject({ recovery: 'retry-later' });
  expect(waited).toEqual([7000]);
  expect(await embedder.embed(['text'], signal)).toMatchObject({ vectors: [embeddingOf('text')] });
  expect(waited).toEqual([7000, 20, 1000]);
});

test('a limit that is used up is waited for before the next request', async () => {
  const { server, embedder, waited } = await openLab();
  server.instead.push((response) => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '3s' };
    response.writeHead(200, headers).end(JSON.stringify({ data: [{ index: 0, embedding: [1] }] }));
  });
  await embedder.embed(['text'], signal);
  expect(waited).toEqual([]);
  await embedder.embed(['text'], signal);
  expect(waited).toEqual([3000]);
});

test('tries end, and say why', async () => {
  const { server, embedder, waited } = await openLab();
  for (let tries = 0; tries < 9; tries += 1) server.instead.push(refuse(502));
  await expect(embedder.embed(['text'], signal)).rejects.toMatchObject({
    name: 'EmbeddingError',
    recovery: 'retry-later',
    message: expect.stringContaining('status 502'),
  });
  expect(waited).toEqual([500, 1000, 2000, 4000]);
  expect(server.requests).toHaveLength(5);
});

test.each([401, 404, 400, 301])('status %i is not tried again, and the key is not repeated', async (status) => {
  const { server, embedder, waited } = await openLab();
  const body = JSON.stringify({ error: { message: 'wrong key secret-test-key' } });
  server.instead.push(refuse(status, { location: 'http://127.0.0.1:1/' }, body));
  const error = await embedder.embed(['text'], signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'EmbeddingError', recovery: 'fix-config' });
  expect(String(error)).toContain('wrong key (key)');
  expect(String(error)).not.toContain('secret');
  expect([server.requests.length, waited]).toEqual([1, []]);
});

test.each([
  ['no JSON', '<html>'],
  ['no data', '{}'],
  ['null', 'null'],
  ['too few', '{"data":[]}'],
  ['an index beyond', '{"data":[{"index":7,"embedding":[1]}]}'],
  ['nothing in it', '{"data":[null]}'],
])('an answer that is none has no vectors: %s', async (_, body) => {
  const { server, embedder } = await openLab();
  server.instead.push(refuse(200, {}, body));
  const { vectors } = await embedder.embed(['text'], signal);
  expect(vectors.filter((vector) => vector !== undefined)).toEqual([]);
});

test('a server that is not there is said to be not there', async () => {
  const { server, embedder } = await openLab();
  await server[Symbol.asyncDispose]();
  await expect(embedder.embed(['text'], signal)).rejects.toMatchObject({ recovery: 'retry-later' });
});
