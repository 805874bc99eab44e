import { expect, onTestFinished, test, vi } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { EventsClient } from '../../../../test/support/events-client.ts';
import { type EventsLabOptions, openEventsLab } from '../../../../test/support/events-lab.ts';
import { temporaryFolder } from '../../../../test/support/site.ts';
import { apiKeyRecord } from '../../keys/api-key.ts';
import { beginEpoch } from '../../log-epoch.ts';

const PATIENCE = { timeout: 20_000, interval: 5 };
const START = '0'.repeat(26);

async function openLab(options: Omit<EventsLabOptions, 'folder'> & { readonly folder?: string } = {}) {
  const folder = options.folder ?? temporaryFolder();
  const path = typeof folder === 'string' ? folder : folder.path;
  const lab = await openEventsLab({ ...options, folder: path });
  const clients: EventsClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await lab.close();
    if (typeof folder !== 'string') folder[Symbol.dispose]();
  });
  /** Opens a stream and waits for its first block. */
  const listen = async (query = '', headers: Record<string, string> = {}) => {
    const client = new EventsClient(`${lab.url}events${query}`, headers);
    clients.push(client);
    await client.opened;
    await vi.waitFor(() => expect(client.text).toContain('\n\n'), PATIENCE);
    return client;
  };
  return { ...lab, folder: path, listen };
}

const seen = async (client: EventsClient, seqs: readonly number[]) => {
  await vi.waitFor(() => expect(client.seqs).toEqual(seqs), PATIENCE);
};

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

clause('AICF-X3', 'what is appended is told with its cursor, and who comes back with that misses nothing', async () => {
  const { listen, commit } = await openLab();
  await commit(2);
  const client = await listen();
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  });
  expect(client.retryMs).toBeGreaterThan(0);
  const [third] = await commit(1);
  await seen(client, [3]);
  expect(client.events).toMatchObject([{ event: 'change', id: third?.id }]);
  expect(JSON.parse(client.events[0]?.data ?? '')).toEqual({ ...third, boundary: third?.url });
  client.close();
  await commit(2);
  const again = await listen('?after=00000000000000000000000000', { 'last-event-id': client.lastEventId });
  await commit(1);
  await seen(again, [4, 5, 6]);
  expect(again.resyncs).toEqual([]);
});

test('who is cut off before the first event comes back with where it began', async () => {
  const { listen, commit } = await openLab();
  const early = await listen();
  expect(early.lastEventId).toBe(START);
  const [first] = await commit(1);
  await seen(early, [1]);
  const late = await listen();
  expect(late.lastEventId).toBe(first?.id);
  late.close();
  await commit(1);
  await seen(await listen('', { 'last-event-id': late.lastEventId }), [2]);
  await seen(await listen('', { 'last-event-id': START }), [1, 2]);
});

test.each([
  ['?after=x', 400],
  ['?after=', 400],
  [`?after=${START}&after=${START}`, 400],
  ['?kind=pages', 400],
  ['?path=guide', 400],
  ['?limit=5', 400],
  ['?source=nobody', 404],
  ['/nobody', 404],
  ['/docs?source=docs', 400],
])('%s is answered with %i', async (query, status) => {
  const { url, commit } = await openLab();
  await commit(1);
  const answer = await fetch(`${url}events${query}`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

test('each reader gets what it asks for', async () => {
  const { listen, commit } = await openLab();
  await commit(1, 'docs');
  await commit(1, 'blog');
  const docs = await listen('/docs');
  const blog = await listen('?source=blog');
  const gone = await listen('?action=delete,create&path=/guide/**');
  const sections = await listen(`?anchor=inst*&after=${START}`);
  await commit(2, 'blog');
  await commit(1, 'docs', { action: 'delete', url: 'https://docs.example/guide/a' });
  await commit(1, 'docs', { anchor: 'install' });
  await seen(docs, [5, 6]);
  await seen(blog, [3, 4]);
  await seen(gone, [5]);
  await seen(sections, [6]);
});

test('HEAD tells what a stream would be, and takes no place', async () => {
  const { url, streams, commit } = await openLab();
  await commit(1);
  const answer = await fetch(`${url}events/docs`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(streams.figures.open).toBe(0);
});

test('from replay to live nothing is missing and nothing is twice, however much is appended meanwhile', async () => {
  const { listen, commit } = await openLab({ keptEvents: 50 });
  await commit(950);
  const readers = await Promise.all(
    upTo(10).map(async (number) => {
      const reader = listen(`?after=${START}`);
      await commit(number * 3);
      return reader;
    }),
  );
  await commit(5);
  for (const reader of readers) await seen(reader, upTo(950 + 165 + 5));
  for (const reader of readers) expect(reader.resyncs).toEqual([]);
});

test('a commit of many changes is read by each at its own pace', async () => {
  const { listen, commit, streams } = await openLab({ keptEvents: 300 });
  await commit(1);
  const [all, few] = [await listen(), await listen('?source=quiet')];
  await commit(1200, 'docs');
  await commit(1, 'quiet');
  await seen(all, upTo(1202, 2));
  await seen(few, [1202]);
  expect(streams.figures).toMatchObject({ open: 2, told: 1202, dropped: 0 });
});

test('a slow reader is dropped, others are not, and it goes on where it was', async () => {
  const { listen, commit, streams } = await openLab({ settings: { waitingBytes: 64 * 1024 } });
  const [slow, fast] = [await listen(), await listen()];
  slow.pause();
  let count = 0;
  while (streams.figures.dropped === 0 && count < 3000) {
    await commit(10, 'docs', { excerpt: 'x'.repeat(3000) });
    count += 10;
  }
  expect(streams.figures).toMatchObject({ dropped: 1, open: 1 });
  slow.resume();
  await slow.ended;
  await seen(fast, upTo(count));
  const again = await listen('', { 'last-event-id': slow.lastEventId });
  await vi.waitFor(() => expect(again.seqs.at(-1)).toBe(count), PATIENCE);
  expect([...slow.seqs, ...again.seqs]).toEqual(upTo(count));
});

test('all that waits is counted, and who is behind when it is too much is dropped', async () => {
  const { listen, commit, streams } = await openLab({
    settings: { waitingBytesInAll: 1024 * 1024, waitingBytes: 1e9 },
  });
  const slow = await Promise.all(upTo(4).map(() => listen()));
  for (const reader of slow) reader.pause();
  for (let count = 0; streams.figures.dropped === 0 && count < 3000; count += 10) {
    await commit(10, 'docs', { excerpt: 'x'.repeat(3000) });
    expect(streams.figures.waitingBytes).toBeLessThan(1.1 * 1024 * 1024);
  }
  expect(streams.figures.dropped).toBeGreaterThan(0);
});

test('one too many is asked to come back much later, without an error', async () => {
  const { listen, streams, commit } = await openLab({
    settings: { most: 3, perClient: 2 },
    trustProxies: ['127.0.0.1'],
  });
  await commit(1);
  const from = (client: string) => listen('', { 'x-forwarded-for': client });
  const [first] = [await from('192.0.2.1'), await from('192.0.2.1')];
  const third = await from('192.0.2.1');
  await third.ended;
  expect([third.status, third.retryMs, third.events]).toEqual([200, 300_000, []]);
  await from('192.0.2.2');
  const fourth = await from('192.0.2.3');
  await fourth.ended;
  expect(fourth.retryMs).toBe(300_000);
  expect(streams.figures).toMatchObject({ open: 3, refused: 2 });
  first.close();
  await vi.waitFor(() => expect(streams.figures.open).toBe(2), PATIENCE);
  const free = await from('192.0.2.3');
  expect(free.retryMs).toBeLessThan(60_000);
});

test('a key has places of its own, wherever its client comes from', async () => {
  const { listen, keys } = await openLab({ settings: { perClient: 1, perKey: 2 } });
  const key = `dd_live_${'k'.repeat(32)}`;
  await keys.add(apiKeyRecord(key, { tier: 'pro', createdMs: 1 }));
  const mine = [await listen('', { 'x-diffdelta-key': key }), await listen('', { 'x-diffdelta-key': key })];
  const plain = await listen();
  for (const reader of [...mine, plain]) expect(reader.retryMs).toBeLessThan(60_000);
  for (const more of [await listen('', { 'x-diffdelta-key': key }), await listen()]) {
    await more.ended;
    expect(more.retryMs).toBe(300_000);
  }
});

test('heartbeats reach everybody, and show how far those are whom nothing concerns', async () => {
  const { listen, commit, streams } = await openLab();
  await commit(1, 'docs');
  const [all, quiet] = [await listen(), await listen('/quiet')];
  const [second] = await commit(1, 'docs');
  await seen(all, [2]);
  await streams.beat();
  await vi.waitFor(() => expect([all.comments, quiet.comments]).toEqual([1, 1]), PATIENCE);
  expect(quiet.lastEventId).toBe(second?.id);
  expect(quiet.events).toEqual([]);
});

test('when the hub ends so do its streams, with a word when to come back', async () => {
  const { listen, commit, close } = await openLab();
  await commit(1);
  const readers = [await listen(), await listen('/docs')];
  await close();
  for (const reader of readers) await reader.ended;
  expect(new Set(readers.map(({ retryMs }) => retryMs)).size).toBe(2);
});

test.each([
  ['garbage', 'x\u00e4\u00ff'],
  ['an id of another hub', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
])('%s in Last-Event-ID gets one resync, and all from the start', async (_, id) => {
  const { listen, commit } = await openLab();
  await commit(3);
  const client = await listen('', { 'last-event-id': id });
  await seen(client, [1, 2, 3]);
  expect(client.events[0]).toEqual({ event: 'resync', id: START, data: '{"from":null}' });
  expect(client.resyncs).toEqual([null]);
  await commit(1);
  const again = await listen('', { 'last-event-id': client.events[0]?.id ?? '' });
  await seen(again, [1, 2, 3, 4]);
  expect(again.resyncs).toEqual([]);
});

test('behind a restored backup each reader gets one resync, and goes on from what it has', async () => {
  const { listen, commit, close, folder, store } = await openLab();
  const before = await commit(5);
  const client = await listen(`?after=${before[2]?.id}`);
  await seen(client, [4, 5]);
  await beginEpoch(store, 'ab12cd34');
  await close();
  await client.ended;

  const restored = await openLab({ folder });
  const from = `${before[4]?.id}.ab12cd34`;
  const [sixth] = await restored.commit(1);
  const again = await restored.listen('', { 'last-event-id': client.lastEventId });
  await seen(again, [6]);
  expect(again.resyncs).toEqual([from]);
  expect(again.lastEventId).toBe(`${sixth?.id}.ab12cd34`);
  // Cut off right behind the resync, it must not get another one.
  const third = await restored.listen('', { 'last-event-id': again.events[0]?.id ?? '' });
  await seen(third, [6]);
  expect(third.resyncs).toEqual([]);
  // Newer than all that is left of the log.
  const ahead = await restored.listen('?after=7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
  await vi.waitFor(() => expect(ahead.resyncs).toEqual([`${sixth?.id}.ab12cd34`]), PATIENCE);
  const older = await restored.listen(`?after=${START}`);
  await seen(older, upTo(6));
  expect(older.resyncs).toEqual([null]);
});

test('before the start of a log that was cut there is one resync, also for who was reading there', async () => {
  const { listen, commit, store } = await openLab({ keptEvents: 10 });
  const all = await commit(400);
  await store.cutLog(100);
  const cut = all[99]?.id;
  const early = await listen(`?after=${all[5]?.id}`);
  await seen(early, upTo(400, 101));
  expect(early.resyncs).toEqual([cut]);
  const right = await listen('', { 'last-event-id': early.events[0]?.id ?? '' });
  await seen(right, upTo(400, 101));
  expect(right.resyncs).toEqual([]);
  const reading = listen(`?after=${cut}`);
  await store.cutLog(350);
  const reader = await reading;
  await vi.waitFor(() => expect(reader.seqs.at(-1)).toBe(400), PATIENCE);
  expect(reader.resyncs.length).toBeLessThanOrEqual(1);
  const holes = reader.seqs.filter((seq, at) => at > 0 && seq !== (reader.seqs[at - 1] ?? 0) + 1);
  expect(holes).toEqual(reader.resyncs.length === 1 && reader.seqs[0] !== 351 ? [351] : []);
});
