import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { textOf } from '../../../test/support/call-route.ts';
import { createDocumentAnswers, type DocumentAnswerOptions, type ServedDocument } from './answer-document.ts';
import type { HubRequest } from './route.ts';

const NOON = Date.parse('2026-03-01T12:00:00.500Z');
const BYTES = Buffer.from('<feed/>');
const DOCUMENT: ServedDocument = {
  etag: '"0a"',
  encodings: ['gzip'],
  lastModifiedMs: NOON,
  read: () => BYTES,
  encoded: async () => {
    const body = gzipSync(BYTES);
    return { bytes: body.length, body };
  },
};

interface Asked {
  readonly method?: string;
  readonly document?: Partial<ServedDocument>;
  readonly nowMs?: number;
  readonly rules?: Partial<DocumentAnswerOptions>;
}

function requestWith(headers: Record<string, string>, method = 'GET'): HubRequest {
  return {
    method,
    params: {},
    query: new URLSearchParams(),
    headers,
    body: undefined,
    clientIp: '127.0.0.1',
    isAdmin: false,
    signal: new AbortController().signal,
  };
}

async function answer(headers: Record<string, string>, asked: Asked = {}) {
  const { document, nowMs = NOON + 60_000, method = 'GET', rules } = asked;
  const options = { mediaType: 'text/plain', cacheControl: 'no-cache', now: () => nowMs, ...rules };
  return createDocumentAnswers(options)(requestWith(headers, method), { ...DOCUMENT, ...document });
}

test('a date tells versions apart only once its second is over', async () => {
  const whole = await answer({});
  expect(whole.headers['last-modified']).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  const since = { 'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT' };
  expect((await answer(since)).status).toBe(304);
  expect((await answer({ 'if-modified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' })).status).toBe(200);
  const both = { ...since, 'if-none-match': '"other"' };
  expect((await answer(both)).status, 'the ETag counts, not the date').toBe(200);
  expect((await answer({ ...since, 'if-match': '"other"' })).status).toBe(412);
  const early = await answer(since, { nowMs: NOON + 100 });
  const shown = 'Sun, 01 Mar 2026 11:59:59 GMT';
  expect([early.status, early.headers['last-modified']]).toEqual([200, shown]);
  expect((await answer({ 'if-modified-since': shown }, { nowMs: NOON + 100 })).status).toBe(200);
});

test('each form has its own ETag, and what is small has one form', async () => {
  const packed = await answer({ 'accept-encoding': 'gzip, br' });
  const { headers, also, body } = packed;
  expect([headers.etag, headers['content-encoding'], headers.vary]).toEqual(['"0a.gz"', 'gzip', 'accept-encoding']);
  if (!(body instanceof Uint8Array)) throw new Error('no body');
  expect(gunzipSync(body)).toEqual(BYTES);
  expect(also).toEqual({ 'content-length': String(body.length) });
  expect((await answer({})).headers).toMatchObject({ etag: '"0a"', vary: 'accept-encoding' });
  for (const etag of ['"0a"', '"0a.gz"', 'W/"0a.gz"', '"x", "0a.gz"', '*']) {
    expect([etag, (await answer({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status]).toEqual([etag, 304]);
  }
  const known = await answer({ 'accept-encoding': 'gzip', 'if-none-match': '"0a.gz"' });
  expect(known.headers).toMatchObject({ etag: '"0a.gz"', vary: 'accept-encoding' });
  expect((await answer({ 'if-none-match': '"0a.gz"' })).status).toBe(200);
  expect((await answer({ 'accept-encoding': 'identity', 'if-none-match': '"0a.gz"' })).status).toBe(200);
  expect((await answer({ 'if-match': '"other"' })).status).toBe(412);
  const small = await answer({ 'accept-encoding': 'gzip' }, { document: { encodings: [] } });
  expect([small.headers.etag, small.headers.vary, textOf(small)]).toEqual(['"0a"', undefined, '<feed/>']);
});

test('who only names encodings that there are not gets the plain form; who refuses all of them, too, unless told otherwise', async () => {
  expect((await answer({ 'accept-encoding': 'br' })).headers).not.toHaveProperty('content-encoding');
  const refusing = { 'accept-encoding': 'identity;q=0, br' };
  expect(textOf(await answer(refusing))).toBe('<feed/>');
  const strict = await answer(refusing, { rules: { notAcceptable: 'There are others.' } });
  expect([strict.status, JSON.parse(textOf(strict)).detail]).toEqual([406, 'There are others.']);
});

test('HEAD is GET without the body', async () => {
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'accept-encoding': encoding };
    const { body: _, ...expected } = await answer(headers);
    expect(await answer(headers, { method: 'HEAD' })).toEqual(expected);
  }
});

test('only a document of known length is had in parts', async () => {
  const range = { range: 'bytes=1-4' };
  expect([(await answer(range)).status, textOf(await answer(range))]).toEqual([200, '<feed/>']);
  const document = { bytes: BYTES.length, read: (start = 0, end = BYTES.length) => BYTES.subarray(start, end) };
  const part = await answer(range, { document });
  expect([part.status, textOf(part), part.also]).toEqual([
    206,
    'feed',
    { 'content-length': '4', 'content-range': 'bytes 1-4/7' },
  ]);
});

test('all who get a form of a document, whole or a part, get the same headers object', async () => {
  const options = { mediaType: 'text/plain', cacheControl: 'no-cache', now: () => NOON + 60_000 };
  const answers = createDocumentAnswers(options);
  const document = {
    ...DOCUMENT,
    bytes: BYTES.length,
    read: (from = 0, to = BYTES.length) => BYTES.subarray(from, to),
  };
  const ask = async (headers: Record<string, string>) => (await answers(requestWith(headers), document)).headers;
  const whole = await ask({});
  expect(await ask({})).toBe(whole);
  expect(await ask({ range: 'bytes=1-4' })).toBe(whole);
  expect(await ask({ range: 'bytes=-2' })).toBe(whole);
  expect(await ask({ 'accept-encoding': 'gzip' })).not.toBe(whole);
});
