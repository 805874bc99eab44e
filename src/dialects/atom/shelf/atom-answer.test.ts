import { expect, test } from 'vitest';
import { textOf } from '../../../../test/support/call-route.ts';
import { type AtomDocument, answerAtom } from './atom-answer.ts';

const NOON = Date.parse('2026-03-01T12:00:00.500Z');
const DOCUMENT: AtomDocument = {
  etag: '"0a"',
  lastModifiedMs: NOON,
  isCompressed: true,
  isArchive: false,
  read: () => Buffer.from('<feed/>'),
  gzip: async () => Buffer.from('packed'),
};

function answer(headers: Record<string, string>, options: { document?: Partial<AtomDocument>; nowMs?: number } = {}) {
  const { document, nowMs = NOON + 60_000 } = options;
  const request = {
    method: 'GET',
    params: {},
    query: new URLSearchParams(),
    headers,
    body: undefined,
    clientIp: '127.0.0.1',
    isAdmin: false,
    signal: new AbortController().signal,
  };
  return answerAtom(request, { ...DOCUMENT, ...document }, { cacheControl: 'no-cache', now: () => nowMs });
}

test('a date tells versions apart only once its second is over', async () => {
  const whole = await answer({});
  expect(whole.headers['last-modified']).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  const since = { 'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT' };
  expect((await answer(since)).status).toBe(304);
  expect((await answer({ 'if-modified-since': 'Sun, 01 Mar 2026 11:59:59 GMT' })).status).toBe(200);
  const early = await answer(since, { nowMs: NOON + 100 });
  expect([early.status, early.headers['last-modified']]).toEqual([200, 'Sun, 01 Mar 2026 11:59:59 GMT']);
});

test('each form has its own ETag, and what is small has one form', async () => {
  const packed = await answer({ 'accept-encoding': 'gzip, br' });
  expect([packed.headers.etag, packed.headers['content-encoding'], await textOf(packed)]).toEqual([
    '"0a.gz"',
    'gzip',
    'packed',
  ]);
  expect(packed.headers.vary).toBe('accept-encoding');
  for (const etag of ['"0a"', 'W/"0a.gz"', '"x", "0a.gz"', '*']) {
    expect([etag, (await answer({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status]).toEqual([etag, 304]);
  }
  expect((await answer({ 'accept-encoding': 'identity', 'if-none-match': '"0a.gz"' })).status).toBe(200);
  expect((await answer({ 'if-match': '"other"' })).status).toBe(412);
  const small = await answer({ 'accept-encoding': 'gzip' }, { document: { isCompressed: false } });
  expect([small.headers.etag, small.headers.vary, await textOf(small)]).toEqual(['"0a"', undefined, '<feed/>']);
});

test('archives may be kept for a day, feeds are asked for each time', async () => {
  expect((await answer({})).headers['cache-control']).toBe('no-cache');
  expect((await answer({}, { document: { isArchive: true } })).headers['cache-control']).toBe('public, max-age=86400');
});
