import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  createFollower,
  DISCOVERY,
  FEED,
  linesOf,
  type Publisher,
  startPublisher,
} from '../../../../test/support/publisher.ts';
import { follow } from '../../../doors/follow.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { AddressRefusedError, TruncatedBodyError } from '../../../errors/fetch-error.ts';

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

test('BOM, CRLF, blank lines and offsets in time are read as if they were not there', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const [one, two] = [server.event('1', { time: '2025-08-21T14:00:00+02:00' }), server.event('2')].map((e) =>
    JSON.stringify(e),
  );
  server.put(FEED, `\uFEFF${one}\r\n\r\n  \n${two}\r\n\n`);
  const { ids, events, codes } = await follower();
  expect(ids).toEqual(['1', '2']);
  expect(events[0]?.time).toBe('2025-08-21T12:00:00Z');
  expect(codes).toEqual([]);
  server.append(FEED, `${linesOf(server.event('3'))}`);
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
});

test('a torn last line is left for the next poll, without an error and without a move', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const line = linesOf(server.event('2'));
  server.append(FEED, linesOf(server.event('1')) + line.slice(0, 30));
  expect(await follower()).toMatchObject({ ids: ['1'], codes: [], error: undefined });
  server.append(FEED, line.slice(30));
  expect(await follower()).toMatchObject({ ids: ['2'], codes: [], error: undefined });
});

test('an unterminated last line that is a whole event is used at once, and once', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.append(FEED, linesOf(server.event('1'), server.event('2')).trimEnd());
  expect((await follower()).ids).toEqual(['1', '2']);
  server.append(FEED, `\n${linesOf(server.event('3'))}`);
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
  expect(server.requests.at(-1)?.status).toBe(206);
});

test('a bad line in the middle is skipped and named once, with its number and clause', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.append(
    FEED,
    `${linesOf(server.event('1'))}{"id":\n${linesOf({ id: '2', action: 'move', url: 'https://a.example/', time: '2025-08-21T12:00:00Z' }, server.event('3'))}nonsense\n`,
  );
  const { ids, diagnostics } = await follower();
  expect(ids).toEqual(['1', '3']);
  expect(diagnostics.map(({ code, level }) => `${level} ${code}`)).toEqual(Array(3).fill('warn bad-line'));
  expect(diagnostics[0]?.message).toContain(`${FEED}:2: AICF-F4`);
  expect(diagnostics[1]?.message).toContain(`${FEED}:3: AICF-E5`);
  expect(diagnostics[2]?.message).toContain(`${FEED}:5: AICF-F4`);

  server.append(FEED, `also nonsense\n${linesOf(server.event('4'))}`);
  const again = await follower();
  expect(again.ids).toEqual(['4']);
  expect(again.diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(`${FEED}:6: AICF-F4`)]);
});

test('bytes that are not UTF-8 make a bad line', async () => {
  await using server = await startPublisher();
  server.put(FEED, { body: Buffer.concat([Buffer.from(linesOf(server.event('1'))), Buffer.from([0x7b, 0xff, 0x0a])]) });
  expect(await createFollower(server)()).toMatchObject({ ids: ['1'], codes: ['bad-line'] });
});

test('a line of 10 MB is skipped and named', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const long = linesOf(server.event('2', { note: 'x'.repeat(10_000_000) }));
  server.append(FEED, linesOf(server.event('1')) + long + linesOf(server.event('3')));
  const { ids, diagnostics } = await follower();
  expect(ids).toEqual(['1', '3']);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/ndjson:2: AICF-F4: The line has 100\d+ bytes/),
  ]);
});

test('ids that go back are read in the order of lines, with one warning', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('evt-9'), server.event('evt-10'), server.event('evt-11'), server.event('evt-2'));
  expect(await follower()).toMatchObject({ ids: ['evt-9', 'evt-10', 'evt-11', 'evt-2'], codes: ['ids-go-back'] });
  server.publish(server.event('evt-1'));
  expect((await follower()).ids).toEqual(['evt-1']);
});

clause('AICF-H3', 'a body cut mid-line gives its whole lines, an error, and the rest at the next poll', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('3'));
  const twoAndAHalf = Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) + 20;
  for (const kind of ['cut', 'cut-chunked'] as const) {
    server.fail(FEED, { kind, afterBytes: twoAndAHalf });
  }
  const first = await follower();
  expect(first.ids).toEqual(['1', '2']);
  expect(first.error).toBeInstanceOf(TruncatedBodyError);
  const second = await follower();
  expect(second).toMatchObject({ ids: ['3'] });
  expect(server.faultsFired).toBe(2);
  expect((await follower()).ids).toEqual([]);
});

clause('AICF-H3', 'a cut right behind a line that lacks only its LF does not use that line', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'), server.event('2'));
  server.fail(FEED, { kind: 'cut', afterBytes: Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) - 1 });
  const { ids, error } = await createFollower(server)();
  expect(ids).toEqual(['1']);
  expect(error).toBeInstanceOf(TruncatedBodyError);
  expect(server.faultsFired).toBe(1);
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

test('a file that was rewritten above the last id is read on behind that id', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  await follower();
  server.put(FEED, linesOf(server.event('2'), server.event('3')));
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
});

test('a file without the last id whose ids all sort behind it is read whole, with a warning of a gap', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  await follower();
  server.put(FEED, linesOf(server.event('5'), server.event('6')));
  expect(await follower()).toMatchObject({ ids: ['5', '6'], codes: ['gap'] });
  expect(await follower()).toMatchObject({ ids: [], codes: [] });
});

test('a file without the last id but with smaller ones is read by comparison, with a warning', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('5'));
  await follower();
  server.put(FEED, linesOf(server.event('2'), server.event('3'), server.event('6'), server.event('7')));
  expect(await follower()).toMatchObject({ ids: ['6', '7'], codes: ['last-id-missing'] });
});

test('an emptied file is an error, loses nothing, and the last id is kept', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  await follower();
  server.put(FEED, '');
  const { ids, error } = await follower();
  expect(ids).toEqual([]);
  expect(error).toBeInstanceOf(FeedUnreadableError);
  expect(error?.message).toContain('holds no event, where earlier there were some');
  server.put(FEED, linesOf(server.event('1'), server.event('2'), server.event('3')));
  expect(await follower()).toMatchObject({ ids: ['3'], codes: [] });
});

test('a feed that is empty from the start is no error, also where the user names an id', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  expect((await follower({ since: '1' })).error).toBeUndefined();
  expect((await follower({ since: '1' })).error).toBeUndefined();
  server.publish(server.event('2'));
  expect((await follower({ since: '1' })).ids).toEqual(['2']);
});

test.each(['<!doctype html><p>Not here</p>', '{"error":"gone"}', '{"id":"1","act'])(
  'an earlier file that is %s ends the poll: its events come once it is served again',
  async (body) => {
    await using server = await startPublisher();
    const follower = createFollower(server);
    rotate(server, '/feed-2.ndjson', ['3'], [FEED]);
    server.put(FEED, body);
    for (const poll of [follower, createFollower(server)]) {
      const { ids, error } = await poll();
      expect(ids).toEqual([]);
      expect(error).toBeInstanceOf(FeedUnreadableError);
    }
    server.put(FEED, linesOf(server.event('1'), server.event('2')));
    expect((await follower()).ids).toEqual(['1', '2', '3']);
  },
);

test('an earlier file that is empty is a gap, and is told', async () => {
  await using server = await startPublisher();
  rotate(server, '/feed-2.ndjson', ['3'], [FEED]);
  expect(await createFollower(server)()).toMatchObject({ ids: ['3'], codes: ['gap'], error: undefined });
});

test('after a rotation the last id is found in the overlap, and nothing comes twice', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('3'));
  await follower();
  rotate(server, '/feed-2.ndjson', ['2', '3', '4']);
  expect(await follower()).toMatchObject({ ids: ['4'], codes: [], paths: [DISCOVERY, '/feed-2.ndjson'] });
  server.append('/feed-2.ndjson', linesOf(server.event('5')));
  expect((await follower()).ids).toEqual(['5']);
  expect(server.requests.at(-1)?.status).toBe(206);
});

test('earlier files are read back until the last id is found, then forward', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  await follower();
  server.publish(server.event('3'));
  server.put('/feed-2.ndjson', linesOf(server.event('3'), server.event('4'), server.event('5')));
  rotate(server, '/feed-3.ndjson', ['6', '7'], [FEED, '/feed-2.ndjson']);
  const { ids, codes, paths } = await follower();
  expect(ids).toEqual(['3', '4', '5', '6', '7']);
  expect(codes).toEqual([]);
  expect(paths.slice(1, 4)).toEqual(['/feed-3.ndjson', '/feed-2.ndjson', FEED]);
  expect((await follower()).ids).toEqual([]);
});

test('a stop in the middle of an earlier file goes on there', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'), server.event('3'), server.event('4'));
  rotate(server, '/feed-2.ndjson', ['4', '5'], [FEED]);
  expect((await follower({ take: 2 })).ids).toEqual(['1', '2']);
  expect(await follower()).toMatchObject({ ids: ['3', '4', '5'], codes: [] });
});

test('a new follower reads the earlier files too, oldest first', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'), server.event('2'));
  rotate(server, '/feed-2.ndjson', ['2', '3'], [FEED]);
  expect(await createFollower(server)()).toMatchObject({ ids: ['1', '2', '3'], codes: [] });
});

test('an earlier file that is gone is a gap; one that fails for now ends the poll', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'));
  await follower();
  rotate(server, '/feed-2.ndjson', ['5'], [FEED, '/gone.ndjson']);
  server.fail('/gone.ndjson', { kind: 'status', status: 503 });
  const failed = await follower();
  expect(failed.ids).toEqual([]);
  expect(failed.error).toBeInstanceOf(FeedUnreadableError);
  expect(server.faultsFired).toBe(1);

  const { ids, codes } = await follower();
  expect(ids).toEqual(['5']);
  expect(codes).toContain('gap');
});

test('since: a new source begins behind an id or at a time; a known one goes on where it was', async () => {
  await using server = await startPublisher();
  server.publish(
    server.event('1', { time: '2025-01-01T00:00:00Z' }),
    server.event('2', { time: '2025-02-01T00:00:00Z' }),
    server.event('3', { time: '2025-03-01T00:00:00Z' }),
  );
  const byId = createFollower(server);
  expect((await byId({ since: '2' })).ids).toEqual(['3']);
  const byTime = createFollower(server);
  expect((await byTime({ since: '2025-02-01T01:00:00+01:00' })).ids).toEqual(['2', '3']);
  expect(await createFollower(server)({ since: '0' })).toMatchObject({ ids: ['1', '2', '3'], codes: ['gap'] });
  server.publish(server.event('4'));
  expect((await byId({ since: '2' })).ids).toEqual(['4']);
  expect((await byTime({ since: '2025-02-01T01:00:00+01:00' })).ids).toEqual(['4']);
});

test('since: a time counts for the first reading only, also when that is broken off', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  const since = '2025-02-01T00:00:00Z';
  server.publish(
    server.event('1', { time: '2025-01-01T00:00:00Z' }),
    server.event('2', { time: '2025-01-02T00:00:00Z' }),
    server.event('3', { time: '2025-03-01T00:00:00Z' }),
  );
  server.fail(FEED, { kind: 'cut', afterBytes: Buffer.byteLength(linesOf(server.event('1'), server.event('2'))) + 20 });
  const cut = await follower({ since });
  expect([cut.ids, server.faultsFired]).toEqual([[], 1]);
  expect((await follower({ since })).ids).toEqual(['3']);
  server.publish(server.event('4', { time: '2025-01-03T00:00:00Z' }));
  expect((await follower({ since })).ids).toEqual(['4']);
});

test('since: where all is before the time, a rewritten file is still not read from zero', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  expect((await follower({ since: '2026-01-01' })).ids).toEqual([]);
  server.put(FEED, linesOf(server.event('0'), server.event('1'), server.event('2'), server.event('3')));
  expect((await follower({ since: '2026-01-01' })).ids).toEqual(['3']);
});

test('since: where nothing follows the id yet, a rewritten file is still not read from zero', async () => {
  await using server = await startPublisher();
  const follower = createFollower(server);
  server.publish(server.event('1'), server.event('2'));
  expect((await follower({ since: '2' })).ids).toEqual([]);
  server.put(FEED, linesOf(server.event('0'), server.event('1'), server.event('2'), server.event('3')));
  expect((await follower()).ids).toEqual(['3']);
});

function rotate(server: Publisher, self: string, ids: readonly string[], archives: readonly string[] = []): void {
  server.put(self, linesOf(...ids.map((id) => server.event(id))));
  const absolute = (path: string) => new URL(path, server.origin).href;
  server.discover({ self: absolute(self), ...(archives.length > 0 && { archives: archives.map(absolute) }) });
}
