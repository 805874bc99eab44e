import { expect, test } from 'vitest';
import {
  createFollower,
  DISCOVERY,
  FEED,
  linesOf,
  type Publisher,
  startPublisher,
} from '../../../../test/support/publisher.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';

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
