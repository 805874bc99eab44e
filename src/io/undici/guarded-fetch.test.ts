import { expect, onTestFinished, test } from 'vitest';
import { type FeedServer, startFeedServer } from '../../../test/support/feed-server.ts';
import {
  AddressRefusedError,
  BadResponseError,
  BodyTooLargeError,
  RedirectRefusedError,
} from '../../errors/fetch-error.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createUndiciHttpClient } from './http-client.ts';

const JSON_HEADERS = { 'content-type': 'application/json', 'x-seen': 'yes', 'x-unseen': 'no' };

test('the caller sees status, body and the headers that it may see', async () => {
  await using api = await startFeedServer();
  api.put('/v1', { status: 402, headers: JSON_HEADERS, body: '{"a":"ü"}' });
  const response = await openFetch(api)(`${api.origin}v1`);
  expect(response.status).toBe(402);
  expect([...response.headers.keys()].sort()).toEqual(['content-type', 'x-seen']);
  expect(await response.json()).toEqual({ a: 'ü' });
});

test('of the caller’s headers those are sent that may be', async () => {
  await using api = await startFeedServer();
  api.put('/v1', '{}');
  const headers = { Authorization: 'Bearer key', 'X-Asked': '1', 'X-Machine': 'mine', Cookie: 'a=1' };
  await openFetch(api)(`${api.origin}v1`, { headers });
  const sent = api.requests[0]?.headers ?? {};
  expect(sent).toMatchObject({ authorization: 'Bearer key', 'x-asked': '1' });
  expect(Object.keys(sent)).not.toContain('x-machine');
  expect(Object.keys(sent)).not.toContain('cookie');
});

test('no other origin is asked, and nothing is done but reading and sending', async () => {
  await using api = await startFeedServer();
  await using other = await startFeedServer();
  other.put('/v1', '{}');
  const asking = openFetch(api);
  await expect(asking(`${other.origin}v1`)).rejects.toThrow(RedirectRefusedError);
  await expect(asking(`${api.origin}v1`, { method: 'DELETE' })).rejects.toThrow('DELETE');
  expect([...other.requests, ...api.requests]).toEqual([]);
});

test.each(['', 'null', '5', '"text"', '[{}]', '<html>', '{'])('%j is no answer', async (body) => {
  await using api = await startFeedServer();
  api.put('/v1', body);
  await expect(openFetch(api)(`${api.origin}v1`)).rejects.toThrow(BadResponseError);
});

test('a redirect is not followed, not even to the same origin', async () => {
  await using api = await startFeedServer();
  api.put('/v1', { status: 302, headers: { location: '/v2' }, body: '' });
  api.put('/v2', '{}');
  await expect(openFetch(api)(`${api.origin}v1`)).rejects.toThrow(RedirectRefusedError);
  await expect(openFetch(api)(`${api.origin}v1`, { method: 'POST', body: 'a=1' })).rejects.toThrow(
    RedirectRefusedError,
  );
  expect(api.requests.map(({ path }) => path)).toEqual(['/v1', '/v1']);
});

test('limits and the guard hold', async () => {
  await using api = await startFeedServer();
  api.put('/v1', JSON.stringify({ a: 'x'.repeat(2000) }));
  await expect(openFetch(api)(`${api.origin}v1`)).rejects.toThrow(BodyTooLargeError);
  await expect(openFetch(api, false)(`${api.origin}v1`)).rejects.toThrow(AddressRefusedError);
  const stopped = openFetch(api)(`${api.origin}v1`, { signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow();
  expect(api.requests).toHaveLength(1);
});

function openFetch(api: FeedServer, allowPrivate = true): typeof fetch {
  const http = createUndiciHttpClient({ allowPrivate, userAgent: 'tidings-test' });
  onTestFinished(() => http[Symbol.asyncDispose]());
  return createGuardedFetch({
    http,
    origin: new URL(api.origin).origin,
    requestHeaders: ['x-asked'],
    responseHeaders: ['content-type', 'x-seen'],
    maxBodyBytes: 1000,
    deadlineMs: 5000,
  });
}
