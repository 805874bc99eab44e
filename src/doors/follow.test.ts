import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startPublisher } from '../../test/support/publisher.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { Change } from '../model/change.ts';
import { type FollowedEvent, type FollowOptions, follow } from './follow.ts';
import { readLog } from './read-log.ts';

clause('AICF-C5', 'what was taken is remembered in the file, and only that', async () => {
  await using server = await startPublisher();
  const state = await stateFile();
  server.publish(...['1', '2', '3'].map((id) => server.event(id)));
  const events = follow({ url: server.origin, state, once: true, allowPrivate: true });
  expect((await events.next()).value).toMatchObject({ id: '1' });
  expect((await events.next()).value).toMatchObject({ id: '2' });
  // `2` was given, but nobody asked for what comes after it: it may not have been written anywhere yet.
  await events.return();
  expect(idsOf(await collect({ url: server.origin, state }))).toEqual(['2', '3']);
  expect(await collect({ url: server.origin, state })).toEqual([]);
});

test('without a state file everything is new each time', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'));
  expect(idsOf(await collect({ urls: server.origin }))).toEqual(['1']);
  expect(idsOf(await collect({ urls: [server.origin] }))).toEqual(['1']);
});

test('positions, checksums and withheld events live in the file', async () => {
  await using server = await startPublisher();
  const options = { url: server.origin, state: await stateFile(), content: true };
  const page = '<main><h1 id="t">Title</h1><p>Some words that are worth reading.</p></main>';
  server.put('/p', page);
  server.put('/q', page);
  server.fail('/q', { kind: 'status', status: 500 });
  server.publish(server.event('1', { url: '/p', checksum: 'c' }), server.event('2', { url: '/q' }));
  await expect(collect(options)).rejects.toThrow(TidingsError);
  expect(server.faultsFired).toBe(1);
  server.publish(server.event('3', { url: '/p', checksum: 'c' }));
  const events = await collect(options);
  expect(events).toMatchObject([
    { id: '2', markdown: expect.stringContaining('worth reading') },
    { id: '3', unchanged: true },
  ]);
});

test('what was delivered can be read as a log from the same file, each event once', async () => {
  await using server = await startPublisher();
  const state = await stateFile();
  server.publish(server.event('1', { url: '/p#x', anchor: 'a', checksum: 'c' }), server.event('1'), server.event('2'));
  await collect({ url: server.origin, state });
  server.publish(server.event('3', { action: 'delete', url: '/p' }));
  await collect({ url: server.origin, state });
  const changes: Change[] = [];
  for await (const change of readLog(state, {})) changes.push(change);
  expect(changes.map(({ seq, provenance }) => [seq, provenance])).toEqual(
    ['1', '2', '3'].map((originId, index) => [index + 1, { by: 'aicf', originId }]),
  );
  expect(changes[0]).toMatchObject({
    source: new URL(server.origin).host.replace(/[.:]/g, '_'),
    url: new URL('/p', server.origin).href,
    anchor: 'a',
    checksum: 'c',
    claimedTime: '2025-08-21T12:00:00Z',
  });
});

test('a second follower on the same file is told so; the file is free again after the first', async () => {
  await using server = await startPublisher();
  server.publish(server.event('1'), server.event('2'));
  const state = await stateFile();
  const first = follow({ url: server.origin, state, once: true, allowPrivate: true });
  await first.next();
  await expect(collect({ url: server.origin, state })).rejects.toThrow(
    expect.objectContaining({ name: 'FollowLockedError' }),
  );
  await first.return();
  expect(idsOf(await collect({ url: server.origin, state }))).toEqual(['1', '2']);
});

test('one line says what is going on', async () => {
  await using server = await startPublisher();
  server.discover({ ttl_seconds: 7 });
  const controller = new AbortController();
  const lines: string[] = [];
  const onStatus = (line: string) => {
    lines.push(line);
    if (lines.length === 2) controller.abort();
  };
  const events = follow({ url: server.origin, allowPrivate: true, onStatus, signal: controller.signal });
  expect((await events.next()).done).toBe(true);
  expect(lines).toEqual([`${server.origin}: reading`, `${server.origin}: next poll in 7 s`]);
});

async function collect(options: FollowOptions): Promise<FollowedEvent[]> {
  const events: FollowedEvent[] = [];
  for await (const event of follow({ once: true, allowPrivate: true, ...options })) events.push(event);
  return events;
}

function idsOf(events: readonly FollowedEvent[]): string[] {
  return events.map(({ id }) => id);
}

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-follow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}
