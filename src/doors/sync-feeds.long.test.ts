import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLiveOrigin } from '../../test/support/agent-feed-origin.ts';
import { linking, pageOf } from '../../test/support/live-site.ts';
import { startPublisher } from '../../test/support/publisher.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { MapSink } from '../../test/support/sync-lab.ts';
import { createTestAuthority } from '../../test/support/test-ca.ts';
import { isEqual, type SyncOptions, type SyncReport, sync } from './sync.ts';

async function once(options: Omit<SyncOptions, 'once'>): Promise<SyncReport> {
  for await (const report of sync({ once: true, allowPrivate: true, cooldownMs: 0, ...options })) return report;
  throw new Error('There was no report.');
}

test('by feed, pages of which the feed does not tell are known from the first look, and later only the feed is asked', async () => {
  await using site = await startPublisher();
  using folder = temporaryFolder();
  const html = (body: string) => ({ body, headers: { 'content-type': 'text/html' } });
  site.put('/', html(linking('Home', 'a', 'b')));
  for (const name of ['a', 'b']) site.put(`/${name}`, html(pageOf(`Page ${name}`)));
  site.publish(site.event('000001', { action: 'create', url: '/a' }));
  const sink = new MapSink();
  const options = { urls: site.origin, sink, state: join(folder.path, 'state'), by: 'feed' as const };
  expect(isEqual(await once(options))).toBe(true);
  expect(sink.urls).toEqual(['', 'a', 'b'].map((name) => site.origin + name));
  expect(new Set([...sink.kept.values()].map(({ source }) => source)).size).toBe(1);
  site.takePaths();

  site.put('/a', html(pageOf('Page a', 'It says something else.')));
  site.publish(site.event('000002', { url: '/a#one' }));
  expect(await once(options)).toMatchObject({ upserts: 1, pages: { put: 1 } });
  expect(sink.kept.get(`${site.origin}a`)?.markdown).toContain('something else');
  expect(site.takePaths()).not.toContain('/b');

  site.publish(site.event('000003', { action: 'delete', url: '/b' }));
  expect(await once(options)).toMatchObject({ pages: { removed: 1 } });
  expect(sink.urls).toEqual(['', 'a'].map((name) => site.origin + name));
});

test('an origin that ends its agent-feed is out of the index in the same run', async () => {
  const authority = createTestAuthority();
  await using origin = await startLiveOrigin(authority);
  using folder = temporaryFolder();
  const headers = { 'content-type': 'text/html' };
  origin.put('/', { headers, body: linking('Home', 'a') });
  origin.put('/a', { headers, body: pageOf('Page a') });
  const sink = new MapSink();
  const options = { urls: origin.url, sink, state: join(folder.path, 'state'), ca: authority.cert };
  expect(await once(options)).toMatchObject({ looks: [{ is: 'ok' }], unread: [] });
  expect(sink.urls).toEqual([origin.url, `${origin.url}a`]);
  origin.status('terminated');
  const report = await once(options);
  expect(report).toMatchObject({ pages: { removed: 2 }, ended: [{ reason: expect.stringContaining('was ended') }] });
  expect(sink.urls).toEqual([]);
  expect(await once(options)).toMatchObject({ pages: { put: 0 }, ended: [{}] });
  expect(sink.urls).toEqual([]);
});

test('a domain whose did has another key and whose agent-feed begins anew stops, and nothing leaves the index', async () => {
  const authority = createTestAuthority();
  await using origin = await startLiveOrigin(authority);
  using folder = temporaryFolder();
  const headers = { 'content-type': 'text/html' };
  origin.state(origin.announcement('orders-api'));
  origin.put('/', { headers, body: linking('Home', 'a') });
  origin.put('/a', { headers, body: pageOf('Page a') });
  const sink = new MapSink();
  const options = { urls: origin.url, sink, state: join(folder.path, 'state'), ca: authority.cert };
  await once(options);
  const theirs = { ...origin.announcement('casino'), id: 'urn:af:theirs:1', key: 'key-9' };
  origin.publish({ keys: ['key-9'], entries: [theirs] });
  const report = await once(options);
  expect(report).toMatchObject({
    looks: expect.arrayContaining([expect.objectContaining({ is: 'stopped' })]),
    ended: [],
  });
  expect(sink.urls).toEqual([origin.url, `${origin.url}a`]);
  expect((await once({ ...options, allowDeletes: true })).looks).toEqual([expect.objectContaining({ is: 'ok' })]);
});

test('by feed, a site whose only feed tells of endpoints is read by its pages', async () => {
  const authority = createTestAuthority();
  await using origin = await startLiveOrigin(authority);
  using folder = temporaryFolder();
  const headers = { 'content-type': 'text/html' };
  origin.state(origin.announcement('orders-api'));
  origin.put('/', { headers, body: linking('Home', 'a') });
  origin.put('/a', { headers, body: pageOf('Page a') });
  const sink = new MapSink();
  const options = {
    urls: origin.url,
    sink,
    state: join(folder.path, 'state'),
    ca: authority.cert,
    by: 'feed' as const,
  };
  expect(isEqual(await once(options))).toBe(true);
  origin.put('/a', { headers, body: pageOf('Page a', 'It says something else.') });
  expect(await once(options)).toMatchObject({ upserts: 1, pages: { put: 1 } });
});
