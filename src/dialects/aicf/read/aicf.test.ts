import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { createFollower, DISCOVERY, FEED, linesOf, startPublisher } from '../../../../test/support/publisher.ts';
import { follow } from '../../../doors/follow.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { AddressRefusedError } from '../../../errors/fetch-error.ts';

clause('AICF-C1', 'the discovery document is read first, then the feed that it names', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  const { paths, ids } = await createFollower(server)();
  expect(paths).toEqual([DISCOVERY, FEED]);
  expect(ids).toEqual(['1']);
});

clause('AICF-C2', 'an incompatible version stops the poll before anything is applied', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  for (const version of ['9.0', '0.2', '0.10', '1.0']) {
    server.discover({ aicf_version: version });
    const { paths, events, error } = await createFollower(server)();
    expect(error).toMatchObject({ name: 'FeedVersionError' });
    expect(events).toEqual([]);
    expect(paths).toEqual([DISCOVERY]);
  }
  server.discover({ aicf_version: '0.1.7' });
  expect((await createFollower(server)()).ids).toEqual(['1']);
});

clause('AICF-D10', 'unknown properties of the discovery document are ignored', async () => {
  await using server = await startPublisher();
  server.discover({ capabilities: ['x'], surprise: { deep: true } });
  server.publish(server.event('1'));
  expect(await createFollower(server)()).toMatchObject({ ids: ['1'], error: undefined, codes: [] });
});

clause('AICF-E14', 'unknown properties of an event are ignored', async () => {
  await using server = await startPublisher();
  server.append(FEED, linesOf({ ...server.event('1'), chunk_id: 'x', __proto__: { anchor: 'no' } }));
  const { events, codes } = await createFollower(server)();
  expect(events).toHaveLength(1);
  expect(events[0]).not.toHaveProperty('chunk_id');
  expect(codes).toEqual([]);
});

clause(['AICF-C3', 'AICF-C5'], 'a second poll gives exactly what was added, from the new bytes only', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('3'));
  expect((await follower()).ids).toEqual(['1', '2', '3']);

  server.publish(server.event('4'), server.event('5'));
  expect((await follower()).ids).toEqual(['4', '5']);
  const request = server.requests.findLast(({ path }) => path === FEED);
  expect(request?.status).toBe(206);
  expect(request?.headers).toMatchObject({ 'accept-encoding': 'identity', 'if-none-match': expect.any(String) });
  expect(request?.headers['if-range']).toBeUndefined();
  expect(request?.bytesSent).toBe(Buffer.byteLength(linesOf(server.event('3'), server.event('4'), server.event('5'))));
});

clause('AICF-C6', 'an unchanged feed is asked for conditionally, and 304 means nothing new', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'));
  await follower();
  expect(await follower()).toMatchObject({ ids: [], error: undefined, paths: [DISCOVERY, FEED] });
  expect(server.requests.slice(-2).map(({ status }) => status)).toEqual([304, 304]);
  expect(server.requests.at(-1)?.headers['if-none-match']).toMatch(/^"/);
});

clause('AICF-C6', 'If-Modified-Since is used where there is no ETag, once its date can be trusted', async () => {
  await using server = await startPublisher({ validators: 'last-modified' });
  const follower = createFollower(server);
  const body = linesOf(server.event('1'));
  const soon = new Date(Date.now() + 5000).toUTCString();
  server.put(FEED, { body, headers: { 'last-modified': soon } });
  await follower();
  await follower();
  expect(server.requests.at(-1)?.headers['if-modified-since'], 'a second that is not over').toBeUndefined();

  server.put(FEED, { body, headers: { 'last-modified': 'Thu, 21 Aug 2025 12:00:00 GMT' } });
  await follower();
  expect((await follower()).ids).toEqual([]);
  expect(server.requests.at(-1)).toMatchObject({
    status: 304,
    headers: { 'if-modified-since': 'Thu, 21 Aug 2025 12:00:00 GMT' },
  });
});

test.each(['etag', 'none'] as const)(
  'without Range, a poll goes on behind the line it knows (validators: %s)',
  async (validators) => {
    await using server = await startPublisher({ ranges: false, gzip: true, validators });
    const follower = createFollower(server);
    server.publish(server.event('1'), server.event('2'));
    await follower();
    server.publish(server.event('3'));
    expect(await follower()).toMatchObject({ ids: ['3'], codes: [], paths: [DISCOVERY, FEED] });
  },
);

clause('AICF-C4', 'an id that occurs twice is handed on once, also over polls', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('1'), server.event('2'));
  expect((await follower()).ids).toEqual(['1', '2']);
  server.publish(server.event('2'), server.event('3'));
  expect((await follower()).ids).toEqual(['3']);
});

test.each([
  [
    'HTML',
    { body: '<!doctype html>\n<html><body>\n<p>Not here\n</body></html>\n', headers: { 'content-type': 'text/html' } },
  ],
  ['404', { body: 'gone', status: 404 }],
  ['500', { body: 'broken', status: 500 }],
  ['one JSON document', { body: JSON.stringify({ events: [] }, null, 2) }],
  ['plain text', { body: 'hello\nworld\n' }],
  ['lines of JSON that are no events', { body: '{"error":"no"}\n' }],
  ['one line of HTML without an end', { body: '<!doctype html><html><body><p>Not here</body></html>' }],
  ['one JSON object without a line feed', { body: '{"error":"gone"}' }],
  ['one endless line', { body: 'x'.repeat(2_000_000) }],
])('a feed that is %s is an error, also for one who knows the feed, and nothing is handed on', async (_, resource) => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'));
  await follower();
  const body = linesOf(server.event('1'), server.event('2'));
  server.put(FEED, resource);
  for (const poll of [follower, createFollower(server)]) {
    const { events, error } = await poll();
    expect(error).toBeInstanceOf(FeedUnreadableError);
    expect(events).toEqual([]);
  }
  server.put(FEED, body);
  expect((await follower()).ids).toEqual(['2']);
});

test.each([
  ['HTML', { body: '<!doctype html><p>Not here</p>' }, 'AICF-D3'],
  ['500', { body: 'broken', status: 500 }, 'status 500'],
  ['without self', { body: '{"aicf_version":"0.1"}' }, 'AICF-D5'],
])('a discovery document that is %s is an error that says why', async (_, resource, why) => {
  await using server = await startPublisher();
  server.put(DISCOVERY, resource);
  const { error, events } = await createFollower(server)();
  expect(error).toBeInstanceOf(FeedUnreadableError);
  expect(error?.message).toContain(why);
  expect(events).toEqual([]);
});

test('media types other than the spec’s are read with one warning each', async () => {
  await using server = await startPublisher();
  server.put(FEED, { body: linesOf(server.event('1')), headers: { 'content-type': 'application/octet-stream' } });
  server.put(DISCOVERY, {
    body: JSON.stringify({ aicf_version: '0.1', self: new URL(FEED, server.origin).href }),
    headers: { 'content-type': 'text/plain' },
  });
  const { ids, diagnostics } = await createFollower(server)();
  expect(ids).toEqual(['1']);
  expect(diagnostics.map(({ code }) => code)).toEqual(['media-type', 'media-type']);
  expect(diagnostics.map(({ message }) => message).join()).toMatch(/AICF-D2.*AICF-F1/);
});

test('a site under a path is found at the root, then under its path', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  const document = JSON.stringify({ aicf_version: '0.1', self: new URL(FEED, server.origin).href });
  const urls = [new URL('/docs/guide/', server.origin).href];
  expect((await createFollower(server)({ urls })).paths).toEqual([DISCOVERY, FEED]);

  server.remove(DISCOVERY);
  server.put(`/docs/guide${DISCOVERY}`, document);
  for (const path of ['/docs/guide/', '/docs/guide', '/docs/guide/index.html']) {
    const { paths, ids } = await createFollower(server)({ urls: [new URL(path, server.origin).href] });
    expect(paths).toEqual([DISCOVERY, `/docs/guide${DISCOVERY}`, FEED]);
    expect(ids).toEqual(['1']);
  }
});

test('a discovery document or feed may be named directly', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  const named = async (path: string) => createFollower(server)({ urls: [new URL(path, server.origin).href] });
  expect((await named(FEED)).paths).toEqual([FEED]);
  expect((await named(DISCOVERY)).paths).toEqual([DISCOVERY, FEED]);

  server.put('/custom', JSON.stringify({ aicf_version: '0.1', self: new URL(FEED, server.origin).href }));
  server.remove(DISCOVERY);
  expect((await named('/custom')).ids).toEqual(['1']);
  server.put('/changes', linesOf(server.event('1'), server.event('2')));
  expect((await named('/changes')).ids).toEqual(['1', '2']);
  const nothing = await named('/');
  expect(nothing.error?.message).toContain('offers no AI Changefeed');
  server.put('/page.html', '<p>Words</p>');
  expect((await named('/page.html')).error).toBeInstanceOf(FeedUnreadableError);
});

test('an address that answers with a pause is said to, and the pause is kept', async () => {
  await using server = await startPublisher();
  server.remove(DISCOVERY);
  server.fail('/changes', { kind: 'status', status: 429, headers: { 'retry-after': '90' } });
  const { error } = await createFollower(server)({ urls: [new URL('/changes', server.origin).href] });
  expect(error).toMatchObject({ name: 'FeedUnreadableError', status: 429, retryAfterMs: 90_000 });
  expect(server.faultsFired).toBe(1);
});

test('a relative entry among the archives does not hide the others', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  server.put('/feed-2.ndjson', linesOf(server.event('2')));
  const absolute = (path: string) => new URL(path, server.origin).href;
  server.discover({ self: absolute('/feed-2.ndjson'), archives: ['old.ndjson', absolute(FEED)] });
  expect((await createFollower(server)()).ids).toEqual(['1', '2']);
});

test('the feed may be on another host, which is guarded all the same', async () => {
  await using server = await startPublisher();
  await using other = await startPublisher();
  other.publish(other.event('1'));
  server.discover({ self: new URL(FEED, other.origin).href });
  expect((await createFollower(server)()).ids).toEqual(['1']);

  other.takeRequests();
  const closed = follow({ url: server.origin, once: true });
  await expect(closed.next()).rejects.toThrow(AddressRefusedError);
  expect(other.takeRequests()).toEqual([]);
});

clause('AICF-E7', 'an address with a fragment is followed without it', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1', { url: '/pricing#tiers' }));
  server.put('/pricing', '<main><h1>Pricing</h1><p>Words that say what it costs.</p></main>');
  const { events, paths } = await createFollower(server)({ content: true });
  expect(events[0]).toMatchObject({ boundary: new URL('/pricing', server.origin).href });
  expect(paths).toEqual([DISCOVERY, FEED, '/pricing']);
});

test.each([
  ['wrong-range', { kind: 'wrong-range', start: 3 }],
  ['range-not-satisfiable', { kind: 'range-not-satisfiable' }],
] as const)('an answer to Range that does not fit (%s) leads to a whole read', async (_, fault) => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  await follower();
  server.publish(server.event('3'));
  server.fail(FEED, fault);
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [], paths: [DISCOVERY, FEED, FEED] });
  expect(server.faultsFired).toBe(1);
});

test('a range that the server cuts short is continued at the next poll', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'));
  await follower();
  server.publish(server.event('2'), server.event('3'));
  server.fail(FEED, {
    kind: 'short-range',
    bytes: Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) + 9,
  });
  expect((await follower()).ids).toEqual(['2']);
  expect(server.faultsFired).toBe(1);
  expect((await follower()).ids).toEqual(['3']);
});
