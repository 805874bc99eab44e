import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerArtifact } from './conditional.ts';
import type { HubRequest } from './route.ts';

const BYTES = Buffer.from('{"hello":"world"}\n');
const ARTIFACT = {
  etag: '"v1"',
  bytes: BYTES,
  mediaType: 'application/json',
  cacheControl: 'no-cache',
};
const GZIPPED = { ...ARTIFACT, gzip: gzipSync(BYTES) };

const asked = (headers: Record<string, string | undefined> = {}, method = 'GET'): HubRequest => ({
  method,
  params: {},
  query: new URLSearchParams(),
  headers,
  body: undefined,
  isAdmin: false,
  clientIp: '127.0.0.1',
  signal: new AbortController().signal,
});

test('an artifact comes with all that a cache needs', () => {
  expect(answerArtifact(asked(), ARTIFACT)).toEqual({
    status: 200,
    headers: {
      'cache-control': 'no-cache',
      'content-length': '18',
      'content-type': 'application/json',
      etag: '"v1"',
    },
    body: BYTES,
  });
});

test('HEAD is GET without the body', () => {
  const { body: _, ...expected } = answerArtifact(asked(), ARTIFACT);
  expect(answerArtifact(asked({}, 'HEAD'), ARTIFACT)).toEqual(expected);
});

test('who has it is told so by its tag; it has no date', () => {
  const notModified = { status: 304, headers: { 'cache-control': 'no-cache', etag: '"v1"' } };
  expect(answerArtifact(asked({ 'if-none-match': '"v1"' }), ARTIFACT)).toEqual(notModified);
  expect(answerArtifact(asked({ 'if-modified-since': new Date().toUTCString() }), ARTIFACT).status).toBe(200);
  expect(answerArtifact(asked({ 'if-match': '"v0"' }), ARTIFACT).status).toBe(412);
});

test('in gzip it has another tag, and the cache is told why', () => {
  const { status, headers, body } = answerArtifact(asked({ 'accept-encoding': 'gzip' }), GZIPPED);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"v1.gz"', vary: 'accept-encoding' });
  expect(gunzipSync(body as Uint8Array)).toEqual(BYTES);
  expect(headers['content-length']).toBe(String((body as Uint8Array).length));
  expect(answerArtifact(asked(), GZIPPED)).toMatchObject({
    headers: { etag: '"v1"', vary: 'accept-encoding' },
    body: BYTES,
  });

  const again = asked({ 'accept-encoding': 'gzip', 'if-none-match': '"v1.gz"' });
  expect(answerArtifact(again, GZIPPED)).toMatchObject({ status: 304, headers: { etag: '"v1.gz"' } });
  expect(answerArtifact(asked({ 'if-none-match': '"v1.gz"' }), GZIPPED).status).toBe(200);
});

test('who only names encodings that we do not have gets the plain form', () => {
  expect(answerArtifact(asked({ 'accept-encoding': 'br' }), GZIPPED).headers).not.toHaveProperty('content-encoding');
});
