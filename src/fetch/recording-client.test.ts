import { expect, test } from 'vitest';
import { startFeedServer } from '../../test/support/feed-server.ts';
import { openClient } from '../../test/support/guarded-client.ts';
import { HostPausedError } from '../errors/crawl-error.ts';
import { readBodyText } from './read-text.ts';
import { createRecordingClient } from './recording-client.ts';
import { RequestJournal } from './request-journal.ts';

const journal = () => new RequestJournal({ now: () => 1000 });

test('each hop is written down with its status, and the last with the bytes of its body', async () => {
  await using server = await startFeedServer();
  server.put('/old', { body: '', status: 302, headers: { location: '/new?key=1' } });
  server.put('/new?key=1', { body: 'twelve bytes' });
  const seen = journal();
  await using client = createRecordingClient(openClient(), seen);
  const response = await client.get({ url: new URL('/old', server.origin) });
  expect(await readBodyText(response, { maxBytes: 1000 })).toBe('twelve bytes');
  expect(seen.of(new URL(server.origin).host)).toEqual([
    { atMs: 1000, path: '/new?…', status: 200, bytes: 12 },
    { atMs: 1000, path: '/old', status: 302, bytes: 0 },
  ]);
});

test('what nobody answers is written down without a status', async () => {
  const server = await startFeedServer();
  const url = new URL(server.origin);
  await server[Symbol.asyncDispose]();
  const seen = journal();
  await using client = createRecordingClient(openClient(), seen);
  await expect(client.get({ url })).rejects.toThrow();
  expect(seen.of(url.host)).toEqual([{ atMs: 1000, path: '/', bytes: 0 }]);
});

test('what is not asked after all is not written down', async () => {
  await using server = await startFeedServer();
  const seen = journal();
  await using client = createRecordingClient(openClient(), seen);
  const url = new URL(server.origin);
  const beforeHop = async () => {
    throw new HostPausedError(url, 1000);
  };
  await expect(client.get({ url, beforeHop })).rejects.toThrow(HostPausedError);
  expect(seen.of(url.host)).toEqual([]);
});
