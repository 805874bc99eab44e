import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { DISCOVERY, FEED, linesOf, type Publisher, startPublisher } from '../../test/support/publisher.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { FollowIncompleteError, FollowRefusedError } from '../errors/follow-error.ts';
import { createUndiciHttpClient } from '../io/undici-http-client.ts';
import { type FollowPorts, type FollowRequest, followSources } from './follow.ts';
import type { Diagnostic, FollowStatus } from './followed-event.ts';
import { MemoryFollowState } from './memory-follow-state.ts';

clause(
  ['AICF-D8', 'AICF-H3'],
  'ttl_seconds sets the pause between polls; Cache-Control, then a minute, where it is absent',
  async () => {
    await using server = await startPublisher();
    expect(await pausesOf(server, () => {})).toEqual([60_000]);
    server.put(FEED, { body: '', headers: { 'cache-control': 'public, max-age=300' } });
    expect(await pausesOf(server, () => {})).toEqual([300_000]);
    server.discover({ ttl_seconds: 120 });
    expect(await pausesOf(server, () => {})).toEqual([120_000]);
    server.discover({ ttl_seconds: 0 });
    expect(await pausesOf(server, () => {}), 'the floor').toEqual([2000]);
  },
);

clause('AICF-H3', 'failures are reported and back off, Retry-After is obeyed, and a success ends it', async () => {
  await using server = await startPublisher();
  server.discover({ ttl_seconds: 10 });
  server.publish(server.event('1'));
  const seen: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const pauses = await pausesOf(
    server,
    (poll) => {
      if (poll === 1)
        server.fail(
          FEED,
          { kind: 'status', status: 500 },
          { kind: 'reset' },
          { kind: 'status', status: 503, headers: { 'retry-after': '900' } },
        );
      if (poll === 4) server.publish(server.event('2'));
    },
    { polls: 5, onEvent: (id) => seen.push(id), onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
  );
  expect(pauses).toEqual([10_000, 10_000, 20_000, 900_000, 10_000]);
  expect(server.faultsFired).toBe(3);
  expect(seen).toEqual(['1', '2']);
  expect(diagnostics.map(({ level, code }) => `${level} ${code}`)).toEqual(Array(3).fill('error poll-failed'));
  expect(diagnostics[0]?.message).toMatch(/status 500.*Next poll in 10 s\.$/);
});

test('status tells what is going on', async () => {
  await using server = await startPublisher();
  server.fail(DISCOVERY, { kind: 'status', status: 500 });
  const statuses: FollowStatus[] = [];
  await pausesOf(server, () => {}, { polls: 2, onStatus: (status) => statuses.push(status) });
  expect(statuses.map(({ phase, nextPollInMs }) => `${phase} ${nextPollInMs ?? ''}`.trim())).toEqual([
    'polling',
    'failing 60000',
    'polling',
    'waiting 60000',
  ]);
});

test('several sources are polled in their own rhythms', async () => {
  await using slow = await startPublisher();
  await using fast = await startPublisher();
  slow.discover({ ttl_seconds: 100 });
  fast.discover({ ttl_seconds: 30 });
  const polled: string[] = [];
  await pausesOf(slow, () => {}, {
    polls: 5,
    urls: [slow.origin, fast.origin],
    onStatus: ({ url, phase }) => phase === 'polling' && polled.push(url === slow.origin ? 'slow' : 'fast'),
  });
  expect(polled).toEqual(['slow', 'fast', 'fast', 'fast', 'fast', 'slow']);
});

test('with once, every source is read before the failure of one is thrown', async () => {
  await using broken = await startPublisher();
  await using sound = await startPublisher();
  broken.remove(DISCOVERY);
  sound.publish(sound.event('1'));
  const ids: string[] = [];
  const urls = [broken.origin, sound.origin];
  await expect(run({ urls, once: true }, { onEvent: (id) => ids.push(id) })).rejects.toThrow(FeedUnreadableError);
  expect(ids).toEqual(['1']);
  sound.remove(DISCOVERY);
  await expect(run({ urls, once: true })).rejects.toThrow(FollowIncompleteError);
});

test('two feeds of one host are two sources', async () => {
  await using server = await startPublisher();
  server.put('/a.ndjson', linesOf(server.event('1')));
  server.put('/b.ndjson', linesOf(server.event('1'), server.event('2')));
  const state = new MemoryFollowState();
  const urls = ['/a.ndjson', '/b.ndjson'].map((path) => new URL(path, server.origin).href);
  const sources: string[] = [];
  const onEvent = (_: string, source: string) => sources.push(source);
  await run({ urls, once: true }, { state, onEvent });
  const host = new URL(server.origin).host.replace(/[.:]/g, '_');
  expect(sources).toEqual([host, `${host}_2`, `${host}_2`]);
  await run({ urls: urls.toReversed(), once: true }, { state, onEvent });
  expect(sources).toHaveLength(3);
});

test('what only the user can mend ends the following at once', async () => {
  await using server = await startPublisher();
  await expect(run({ urls: [server.origin], once: false }, { allowPrivate: false })).rejects.toThrow(
    AddressRefusedError,
  );
  for (const urls of [[], ['not a url'], ['ftp://docs.example/']]) {
    await expect(run({ urls, once: true }), String(urls)).rejects.toThrow(FollowRefusedError);
  }
});

test('the signal ends a poll that hangs, a pause, and a stream of events', async () => {
  await using server = await startPublisher();
  server.fail(DISCOVERY, { kind: 'stall' });
  const controller = new AbortController();
  const onStatus = () => void setTimeout(() => controller.abort(), 50);
  await run({ urls: [server.origin], once: true }, { signal: controller.signal, onStatus });
  expect(server.faultsFired).toBe(1);

  server.publish(server.event('1'), server.event('2'), server.event('3'));
  const state = new MemoryFollowState();
  const second = new AbortController();
  const ids: string[] = [];
  const onEvent = (id: string) => {
    ids.push(id);
    if (id === '2') second.abort();
  };
  await run({ urls: [server.origin], once: true }, { signal: second.signal, state, onEvent });
  expect(ids).toEqual(['1', '2']);
  await run({ urls: [server.origin], once: true }, { state, onEvent: (id) => ids.push(id) });
  expect(ids).toEqual(['1', '2', '3']);
});

interface RunOptions {
  readonly state?: MemoryFollowState;
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  readonly wait?: FollowPorts['wait'];
  readonly onEvent?: (id: string, source: string) => unknown;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => unknown;
  readonly onStatus?: (status: FollowStatus) => unknown;
}

async function run(request: Pick<FollowRequest, 'urls' | 'once'>, options: RunOptions = {}): Promise<void> {
  await using http = createUndiciHttpClient({ allowPrivate: options.allowPrivate ?? true, userAgent: 'test' });
  const events = followSources(
    { content: false, minIntervalMs: 2000, ...request },
    {
      http,
      state: options.state ?? new MemoryFollowState(),
      now: options.now ?? Date.now,
      wait: options.wait ?? (async () => {}),
      signal: options.signal ?? new AbortController().signal,
      onDiagnostic: (diagnostic) => void options.onDiagnostic?.(diagnostic),
      onStatus: (status) => void options.onStatus?.(status),
    },
  );
  for await (const { id, source } of events) options.onEvent?.(id, source);
}

interface PausesOptions extends Omit<RunOptions, 'wait' | 'now' | 'signal'> {
  readonly polls?: number;
  readonly urls?: readonly string[];
}

/** Follows without `once`; `between` runs in each pause, and the clock moves on by it. */
async function pausesOf(
  server: Publisher,
  between: (poll: number) => void,
  options: PausesOptions = {},
): Promise<number[]> {
  const { polls = 1, urls = [server.origin], ...rest } = options;
  const pauses: number[] = [];
  const controller = new AbortController();
  let clock = 0;
  const wait = async (ms: number) => {
    pauses.push(ms);
    clock += ms;
    between(pauses.length);
    if (pauses.length === polls) controller.abort();
  };
  await run({ urls, once: false }, { ...rest, signal: controller.signal, wait, now: () => clock });
  return pauses;
}
