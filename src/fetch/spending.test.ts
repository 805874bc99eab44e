import { expect, test } from 'vitest';
import { startLiveSite } from '../../test/support/live-site.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { readBytes } from './read-text.ts';
import { Spending } from './spending.ts';

const LIMITS = { requests: 5, bytes: 10_000, answerBytes: 6000 };

test('requests, hops of redirects and bytes are counted, and no more of them are spent than may be', async () => {
  await using site = await startLiveSite({
    '/a': 'x'.repeat(5000),
    '/b': { status: 302, headers: { location: '/a' } },
    '/c': 'x'.repeat(7000),
  });
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const spending = new Spending(LIMITS);
  const read = async (path: string) =>
    await readBytes(await spending.http(http).get({ url: new URL(path, site.url) }), { maxBytes: 1e6 });
  expect(await read('a')).toHaveLength(5000);
  expect([spending.requests, spending.bytes]).toEqual([1, 5000]);
  expect(spending.answers.get(`${site.url}a`)).toEqual({ bytes: 5000, hasValidator: true });
  await expect(read('c')).rejects.toMatchObject({ name: 'BodyTooLargeError' });
  expect(await read('b')).toHaveLength(5000);
  expect([spending.requests, spending.bytes]).toEqual([4, 10_000]);
  await expect(read('a')).rejects.toMatchObject({ name: 'BodyTooLargeError' });
  site.takeRequests();
  await expect(read('a')).rejects.toMatchObject({ name: 'LookSpentError' });
  expect(site.takeRequests()).toEqual([]);
});
