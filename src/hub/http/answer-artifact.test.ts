import { expect, test } from 'vitest';
import { answerArtifact } from './answer-artifact.ts';
import type { HubRequest } from './route.ts';

const BYTES = Buffer.from('{"hello":"world"}\n');
const ARTIFACT = {
  etag: '"v1"',
  bytes: BYTES,
  mediaType: 'application/json',
  cacheControl: 'no-cache',
};

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
      'content-type': 'application/json',
      etag: '"v1"',
    },
    also: { 'content-length': '18' },
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

test('headers of its own stand on every answer that holds it or stands for it', () => {
  const artifact = { ...ARTIFACT, headers: { 'cdn-cache-control': 'no-cache' } };
  expect(answerArtifact(asked(), artifact).headers).toMatchObject({ 'cdn-cache-control': 'no-cache' });
  expect(answerArtifact(asked({ 'if-none-match': '"v1"' }), artifact).headers).toMatchObject({
    'cdn-cache-control': 'no-cache',
  });
  expect(answerArtifact(asked({ 'if-match': '"v0"' }), artifact).headers).not.toHaveProperty('cdn-cache-control');
});

test('who takes gzip gets it under an ETag of its own; who does not gets the plain form', () => {
  const packed = { ...ARTIFACT, gzip: () => Buffer.from('packed') };
  const answer = answerArtifact(asked({ 'accept-encoding': 'br, gzip' }), packed);
  expect(answer).toMatchObject({
    headers: { 'content-encoding': 'gzip', etag: '"v1.gz"', vary: 'accept-encoding' },
    also: { 'content-length': '6' },
  });
  expect(answer.body).toEqual(Buffer.from('packed'));
  const again = asked({ 'accept-encoding': 'gzip', 'if-none-match': '"v1.gz"' });
  expect(answerArtifact(again, packed)).toMatchObject({ status: 304, headers: { etag: '"v1.gz"' } });
  expect(answerArtifact(asked({ 'accept-encoding': 'identity' }), packed)).toMatchObject({ headers: { etag: '"v1"' } });
});
