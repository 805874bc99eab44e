import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startFeedServer } from '../../test/support/feed-server.ts';
import { untilFired } from '../../test/support/until-fired.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import type { HttpClient } from './http-client.ts';
import { createRobotsAccess, type RobotsAccessOptions } from './robots-access.ts';
import { userAgentOf } from './user-agent.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLOSED = 'User-agent: *\nDisallow: /\n';

clause('AWI-R1', 'rules are obeyed, and asked for under our name', async () => {
  const { server, mayFetch } = await open('User-agent: aiwebindex\nDisallow: /x\nCrawl-delay: 5\n');
  expect(await mayFetch('/x/y?z#w')).toEqual({
    allowed: false,
    reason: expect.stringMatching(/^the robots.txt of 127.0.0.1:\d+ forbids \/x\/y for AIWebIndex$/),
    crawlDelayMs: 5000,
  });
  expect(await mayFetch('/a')).toMatchObject({ allowed: true, crawlDelayMs: 5000 });
  expect(server.takePaths()).toEqual(['/robots.txt']);
  expect(server.requests[0]?.headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 /);
});

test.each([400, 401, 403, 404, 410, 451])('a %i means that there is no robots.txt: all is allowed', async (status) => {
  const { server, mayFetch } = await open({ body: CLOSED, status });
  expect(await mayFetch('/a')).toEqual({ allowed: true, reason: expect.stringContaining(`(${status})`) });
  await mayFetch('/b');
  expect(server.takePaths()).toEqual(['/robots.txt']);
});

test.each([429, 500, 502, 503, 599, 304, 300])(
  'a %i says nothing: all is forbidden for some minutes',
  async (status) => {
    const { server, mayFetch, clock } = await open({ body: status === 304 ? '' : 'Allow: /', status });
    expect(await mayFetch('/a')).toEqual({
      allowed: false,
      reason: expect.stringContaining(`status ${status}`),
      retryAfterMs: 5 * MINUTE,
      status,
    });
    server.put('/robots.txt', 'User-agent: *\nAllow: /\n');
    clock.ms += 5 * MINUTE - 1;
    expect(await mayFetch('/a')).toMatchObject({ allowed: false, retryAfterMs: 1 });
    expect(server.takePaths()).toEqual(['/robots.txt']);
    clock.ms += 1;
    expect(await mayFetch('/a')).toMatchObject({ allowed: true });
  },
);

test('a host of our own network is asked again after a second, or as it says', async () => {
  const { server, mayFetch, clock } = await open({ body: '', status: 500 }, { isPrivate: async () => true });
  expect(await mayFetch('/a')).toMatchObject({ allowed: false, status: 500, retryAfterMs: 1000 });
  server.put('/robots.txt', { body: '', status: 503, headers: { 'retry-after': '90' } });
  clock.ms += 1000;
  expect(await mayFetch('/a')).toMatchObject({ allowed: false, status: 503, retryAfterMs: 90_000 });
  server.put('/robots.txt', CLOSED);
  server.fail('/robots.txt', { kind: 'reset' });
  clock.ms += 90_000;
  expect(await mayFetch('/a')).toMatchObject({ allowed: false, retryAfterMs: 1000 });
  expect(server.faultsFired).toBe(1);
});

test('Retry-After prolongs the wait, to a day at most', async () => {
  const { server, mayFetch, clock } = await open({ body: '', status: 503, headers: { 'retry-after': '1800' } });
  expect(await mayFetch('/a')).toMatchObject({ allowed: false, retryAfterMs: HOUR / 2 });
  server.put('/robots.txt', { body: '', status: 503, headers: { 'retry-after': '9999999' } });
  clock.ms += HOUR / 2;
  expect(await mayFetch('/a')).toMatchObject({ allowed: false, retryAfterMs: 24 * HOUR });
});

test.each([{ kind: 'reset' }, { kind: 'cut', afterBytes: 30 }, { kind: 'cut-chunked', afterBytes: 30 }] as const)(
  'an answer that breaks ($kind) forbids all, then is asked again',
  async (fault) => {
    const { server, mayFetch, clock } = await open('User-agent: *\nAllow: /\n# and more\n');
    server.fail('/robots.txt', fault);
    const retryAfterMs = fault.kind === 'reset' ? MINUTE : 5 * MINUTE;
    expect(await mayFetch('/a')).toMatchObject({ allowed: false, retryAfterMs });
    expect(server.faultsFired).toBe(1);
    clock.ms += retryAfterMs;
    expect(await mayFetch('/a')).toMatchObject({ allowed: true });
  },
);

test('an origin that does not answer in time, or at all, or may not be asked, is forbidden', async () => {
  const { server, http } = await open('');
  server.fail('/robots.txt', { kind: 'stall' });
  const accessWithin = (deadlineMs: number) => {
    const hasty: HttpClient = { ...http, get: (request) => http.get({ ...request, deadlineMs }) };
    return createRobotsAccess({ http: hasty, now: () => 0, productToken: 'AIWebIndex' });
  };
  await untilFired(server, async (deadlineMs) => {
    const answer = await accessWithin(deadlineMs).mayFetch(new URL('/a', server.origin));
    expect(answer).toMatchObject({ allowed: false });
  });
  const access = accessWithin(10_000);
  expect(await access.mayFetch(new URL('http://127.0.0.1:1/a'))).toMatchObject({ allowed: false });

  await using guarded = createUndiciHttpClient({ userAgent: userAgentOf(), allowPrivate: false });
  const outside = createRobotsAccess({ http: guarded, now: () => 0, productToken: 'AIWebIndex' });
  expect(await outside.mayFetch(new URL('/a', server.origin))).toMatchObject({ allowed: false });
  expect(await outside.mayFetch(new URL('ftp://docs.example/a'))).toMatchObject({ allowed: false });
});

test('redirects are followed, also to another host, up to five; the rules hold for who was asked', async () => {
  await using other = await startFeedServer();
  other.put('/elsewhere.txt', 'User-agent: *\nDisallow: /x\n');
  const { server, mayFetch } = await open('');
  const hop = (location: string) => ({ body: '', status: 302, headers: { location } });
  server.put('/robots.txt', hop('/1'));
  for (const n of [1, 2, 3]) server.put(`/${n}`, hop(`/${n + 1}`));
  server.put('/4', hop(`${other.origin}elsewhere.txt`));
  expect(await mayFetch('/x')).toMatchObject({ allowed: false, reason: expect.stringContaining('forbids /x') });
  expect(await mayFetch('/y')).toMatchObject({ allowed: true });
  expect(server.takePaths()).toHaveLength(5);
  expect(other.takePaths()).toEqual(['/elsewhere.txt']);
});

test('a redirect loop forbids all', async () => {
  const { server, mayFetch } = await open({ body: '', status: 301, headers: { location: '/robots.txt' } });
  expect(await mayFetch('/x')).toMatchObject({ allowed: false, retryAfterMs: 5 * MINUTE });
  expect(server.takePaths()).toHaveLength(1);
});

test('a long file is cut at 500 KiB, not failed', async () => {
  const long = `User-agent: *\nDisallow: /early\n${`# ${'x'.repeat(97)}\n`.repeat(6000)}Disallow: /late\n`;
  const gzip = { body: gzipSync(long), headers: { 'content-encoding': 'gzip' } };
  for (const resource of [long, gzip]) {
    const { mayFetch } = await open(resource);
    expect(await mayFetch('/early')).toMatchObject({ allowed: false, reason: expect.stringContaining('forbids') });
    expect(await mayFetch('/late')).toMatchObject({ allowed: true });
  }
});

test('a file without end is read to 500 KiB, and its connection closed', async () => {
  const server = createServer((_, response) => {
    response.on('close', () => server.emit('hung-up'));
    response.write('User-agent: *\nDisallow: /early\n');
    const more = () => {
      while (!response.destroyed && response.write(`# ${'x'.repeat(9998)}\n`));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { http } = await open('');
  const access = createRobotsAccess({ http, now: () => 0, productToken: 'AIWebIndex' });
  const hungUp = once(server, 'hung-up');
  const { port } = server.address() as AddressInfo;
  expect(await access.mayFetch(new URL(`http://127.0.0.1:${port}/early`))).toMatchObject({
    allowed: false,
    reason: expect.stringContaining('forbids'),
  });
  await hungUp;
});

test('bytes that are not UTF-8 do not hide the rules', async () => {
  const { mayFetch } = await open({ body: Buffer.from('# café\nUser-agent: *\nDisallow: /é\n', 'latin1') });
  expect(await mayFetch('/%E9')).toMatchObject({ allowed: false });
  expect(await mayFetch('/e')).toMatchObject({ allowed: true });
});

test.each([
  [undefined, 24 * HOUR],
  ['public', 24 * HOUR],
  ['max-age=3600', HOUR],
  ['public, max-age=31536000', 24 * HOUR],
  ['max-age=1', 5 * MINUTE],
  ['max-age=0, must-revalidate', 5 * MINUTE],
  ['no-store', 5 * MINUTE],
])('with Cache-Control: %s an answer is used for %i ms', async (cacheControl, lifetimeMs) => {
  const headers = cacheControl === undefined ? undefined : { 'cache-control': cacheControl };
  const { server, mayFetch, clock } = await open({ body: CLOSED, ...(headers && { headers }) });
  await mayFetch('/a');
  server.remove('/robots.txt');
  clock.ms += lifetimeMs - 1;
  expect(await mayFetch('/a')).toMatchObject({ allowed: false });
  expect(server.takePaths()).toEqual(['/robots.txt']);
  clock.ms += 1;
  expect(await mayFetch('/a')).toMatchObject({ allowed: true });
  expect(server.takePaths()).toEqual(['/robots.txt']);
});

test('many questions at once are one request per origin', async () => {
  const { server, mayFetch, clock } = await open(CLOSED);
  const ask = () => Promise.all(Array.from({ length: 50 }, (_, n) => mayFetch(`/${n}`)));
  expect((await ask()).every(({ allowed }) => !allowed)).toBe(true);
  expect(server.takePaths()).toHaveLength(1);
  clock.ms += 24 * HOUR;
  await ask();
  expect(server.takePaths(), 'also when an old answer runs out').toHaveLength(1);
});

test('origins differ by port; the one that was used longest ago is forgotten first', async () => {
  const first = await open(CLOSED, { maxOrigins: 2 });
  await using second = await startFeedServer();
  await using third = await startFeedServer();
  expect(await first.mayFetch('/a')).toMatchObject({ allowed: false });
  expect(await first.access.mayFetch(new URL('/a', second.origin))).toMatchObject({ allowed: true });
  await first.mayFetch('/a');
  await first.access.mayFetch(new URL('/a', third.origin));
  await first.mayFetch('/a');
  await first.access.mayFetch(new URL('/a', second.origin));
  expect([first.server, second, third].map((server) => server.takePaths().length)).toEqual([1, 2, 1]);
});

test('the robots.txt itself is allowed without being asked for', async () => {
  const { server, mayFetch } = await open(CLOSED);
  expect(await mayFetch('/robots.txt')).toMatchObject({ allowed: true });
  expect(server.takePaths()).toEqual([]);
});

test('a failure that is not the origin’s is thrown to all who wait, and not remembered', async () => {
  let calls = 0;
  const broken: HttpClient = {
    get: () => {
      calls += 1;
      return Promise.reject(new TypeError('a bug'));
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const access = createRobotsAccess({ http: broken, now: () => 0, productToken: 'AIWebIndex' });
  const ask = () => access.mayFetch(new URL('https://docs.example/'));
  const outcomes = await Promise.allSettled([ask(), ask()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toBe(1);
  await expect(ask()).rejects.toThrow('a bug');
  expect(calls).toBe(2);
});

interface Served {
  readonly body: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

async function open(
  robots: string | Served,
  special: Partial<Pick<RobotsAccessOptions, 'maxOrigins' | 'isPrivate'>> = {},
) {
  const server = await startFeedServer({ validators: 'none' });
  server.put('/robots.txt', robots);
  const http = createUndiciHttpClient({ userAgent: userAgentOf(), allowPrivate: true });
  onTestFinished(async () => {
    await http[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const clock = { ms: 1_000_000 };
  const access = createRobotsAccess({ http, now: () => clock.ms, productToken: 'AIWebIndex', ...special });
  return { server, http, clock, access, mayFetch: (path: string) => access.mayFetch(new URL(path, server.origin)) };
}
