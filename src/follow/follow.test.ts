import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { politely } from '../../test/support/polite.ts';
import { DISCOVERY, FEED, linesOf, type Publisher, startPublisher } from '../../test/support/publisher.ts';
import { readerParts } from '../../test/support/reader-ports.ts';
import type { Diagnostic } from '../dialects/diagnostic.ts';
import { FeedUnreadableError } from '../errors/feed-error.ts';
import { AddressRefusedError } from '../errors/fetch-error.ts';
import { FollowIncompleteError } from '../errors/follow-error.ts';
import type { HttpClient } from '../fetch/http-client.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { sourceIdOf } from '../model/source.ts';
import { type FollowPorts, type FollowRequest, followSources } from './follow.ts';
import type { FollowStatus } from './followed-event.ts';
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

test('a source that hangs does not keep the others from being read', async () => {
  await using hanging = await startPublisher();
  await using sound = await startPublisher();
  hanging.fail(DISCOVERY, { kind: 'stall' });
  sound.publish(sound.event('1'), sound.event('2'));
  const controller = new AbortController();
  const ids: string[] = [];
  const onEvent = (id: string) => ids.push(id) === 2 && controller.abort();
  await run({ urls: [hanging.origin, sound.origin], once: true }, { signal: controller.signal, onEvent });
  expect(ids).toEqual(['1', '2']);
  expect(hanging.faultsFired).toBe(1);
});

test('breaking off ends the requests of every source; of each, what was taken is remembered', async () => {
  await using hanging = await startPublisher();
  await using one = await startPublisher();
  await using other = await startPublisher();
  for (const server of [one, other]) server.publish(...['1', '2', '3'].map((id) => server.event(id)));
  hanging.fail(DISCOVERY, { kind: 'stall' });
  const state = new MemoryFollowState();
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const urls = [hanging.origin, one.origin, other.origin];
  const seen: string[] = [];
  for await (const { id, source } of followSources({ ...REQUEST, urls }, portsOf(http, { state }))) {
    if (seen.length === 3) break;
    seen.push(`${source} ${id}`);
  }
  expect(hanging.faultsFired).toBe(1);
  await run({ urls, once: true }, { state, onEvent: (id, source) => seen.push(`${source} ${id}`) });
  const idsOf = (server: Publisher) => ['1', '2', '3'].map((id) => `${sourceIdOf(new URL(server.origin))} ${id}`);
  expect(seen.toSorted()).toEqual([...idsOf(one), ...idsOf(other)].toSorted());
});

test('events that wait for their page do not keep the feed from its rhythm', async () => {
  await using server = await startPublisher();
  server.discover({ ttl_seconds: 10 });
  server.put('/p', { body: 'broken', status: 500 });
  server.publish(server.event('1', { url: '/p' }));
  const diagnostics: Diagnostic[] = [];
  const pauses = await pausesOf(server, () => {}, {
    polls: 3,
    content: true,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  expect(pauses).toEqual([10_000, 10_000, 10_000]);
  expect(diagnostics.map(({ level, code }) => `${level} ${code}`)).toEqual(Array(4).fill('warn withheld'));
  expect(diagnostics.at(-1)?.message).toMatch(/1 event waits.*Next poll in 10 s\.$/);
});

test('a host that asks for a pause is left alone for as long as it says, its feed too', async () => {
  await using server = await startPublisher();
  server.discover({ ttl_seconds: 10 });
  server.put('/p', '<main><h1>Title</h1><p>Some words that are worth reading.</p></main>');
  server.fail('/p', { kind: 'status', status: 503, headers: { 'retry-after': '25' } });
  server.publish(server.event('1', { url: '/p' }));
  const asked: string[][] = [];
  const pauses = await pausesOf(server, () => asked.push(server.takePaths()), { polls: 3, content: true });
  expect(asked[0]).toContain('/p');
  expect(asked[1]).toEqual([]);
  expect(asked[2]).toContain('/p');
  expect(pauses).toEqual([10_000, 15_000, 10_000]);
});

test('an address that a publisher names is the failure of that source only', async () => {
  await using server = await startPublisher();
  await using sound = await startPublisher();
  const refused = 'http://localhost:1/feed.ndjson';
  server.discover({ self: refused, ttl_seconds: 10 });
  sound.publish(sound.event('1'));
  await using client = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  // Stands for the guard: what the tests can reach is all on one machine.
  const http: HttpClient = {
    get: async (request) => {
      if (request.url.hostname === 'localhost') throw new AddressRefusedError(request.url, '127.0.0.1');
      return client.get(request);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const ids: string[] = [];
  const urls = [server.origin, sound.origin];
  const error: unknown = await run({ urls, once: true }, { http, onEvent: (id) => ids.push(id) }).catch((e) => e);
  expect(error).toMatchObject({ name: 'NamedAddressRefusedError', recovery: 'fix-input', address: '127.0.0.1' });
  expect(String(error)).not.toContain('--allow-private');
  expect(ids).toEqual(['1']);

  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  await pausesOf(server, () => {}, { polls: 2, http, onDiagnostic });
  expect(diagnostics.map(({ code }) => code)).toEqual(['poll-failed', 'poll-failed']);

  server.discover();
  server.publish(server.event('2', { url: 'http://localhost:1/page' }));
  const withheld: unknown = await run({ urls: [server.origin], once: true, content: true }, { http }).catch((e) => e);
  expect(withheld).toMatchObject({ name: 'EventsWithheldError', message: expect.stringContaining('not a public') });
  expect(String(withheld)).not.toContain('--allow-private');
});

test('an empty --since is refused; a date is its midnight in UTC', async () => {
  await using server = await startPublisher();
  const times = ['2025-08-22T23:59:59Z', '2025-08-23T00:00:00Z', '2025-08-23T10:00:00Z'];
  server.publish(...times.map((time, index) => server.event(`${index}`, { time })));
  const ids: string[] = [];
  const urls = [server.origin];
  await run({ urls, once: true, since: '2025-08-23' }, { onEvent: (id) => ids.push(id) });
  expect(ids).toEqual(['1', '2']);
  await expect(run({ urls, once: true, since: '' })).rejects.toThrow(
    expect.objectContaining({ name: 'FollowRefusedError' }),
  );
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
    await expect(run({ urls, once: true }), String(urls)).rejects.toThrow(
      expect.objectContaining({ name: 'FollowRefusedError' }),
    );
  }
});

test('the signal ends a poll that hangs, a pause, and a stream of events', async () => {
  await using server = await startPublisher();
  server.fail(DISCOVERY, { kind: 'stall' });
  const controller = new AbortController();
  const onStatus = () =>
    void expect
      .poll(() => server.faultsFired)
      .toBe(1)
      .then(() => controller.abort());
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

const REQUEST = { once: true, content: false, minIntervalMs: 2000 };

interface RunOptions {
  readonly http?: HttpClient;
  readonly content?: boolean;
  readonly state?: MemoryFollowState;
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  readonly wait?: FollowPorts['wait'];
  readonly onEvent?: (id: string, source: string) => unknown;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => unknown;
  readonly onStatus?: (status: FollowStatus) => unknown;
}

type RunRequest = Pick<FollowRequest, 'urls' | 'once'> & Partial<FollowRequest>;

async function run(request: RunRequest, options: RunOptions = {}): Promise<void> {
  await using client = createUndiciHttpClient({ allowPrivate: options.allowPrivate ?? true, userAgent: 'test' });
  const events = followSources({ ...REQUEST, ...request }, portsOf(options.http ?? client, options));
  for await (const { id, source } of events) options.onEvent?.(id, source);
}

function portsOf(http: HttpClient, options: RunOptions): FollowPorts {
  return {
    ...politely(http, { now: options.now ?? Date.now }),
    ...readerParts(),
    state: options.state ?? new MemoryFollowState(),
    now: options.now ?? Date.now,
    wait: options.wait ?? (async () => {}),
    signal: options.signal ?? new AbortController().signal,
    onDiagnostic: (diagnostic) => void options.onDiagnostic?.(diagnostic),
    onStatus: (status) => void options.onStatus?.(status),
  };
}

interface PausesOptions extends Omit<RunOptions, 'wait' | 'now' | 'signal'> {
  readonly polls?: number;
  readonly urls?: readonly string[];
}

/** Follows without `once`. When every source waits, the clock moves on to the first of them and `between` runs. */
async function pausesOf(
  server: Publisher,
  between: (poll: number) => void,
  options: PausesOptions = {},
): Promise<number[]> {
  const { polls = 1, urls = [server.origin], content = false, ...rest } = options;
  const pauses: number[] = [];
  const controller = new AbortController();
  let clock = 0;
  const waiting: { readonly until: number; readonly goOn: () => void }[] = [];
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((goOn) => {
      signal.addEventListener('abort', () => goOn());
      waiting.push({ until: clock + ms, goOn });
      waiting.sort((one, other) => one.until - other.until);
      if (waiting.length < urls.length) return;
      const first = waiting.shift();
      if (first === undefined) return;
      pauses.push(first.until - clock);
      clock = first.until;
      between(pauses.length);
      if (pauses.length === polls) controller.abort();
      first.goOn();
    });
  await run({ urls, once: false, content }, { ...rest, signal: controller.signal, wait, now: () => clock });
  return pauses;
}
