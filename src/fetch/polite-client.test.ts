import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { politely } from '../../test/support/polite.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import type { HostMemory } from './host-memory.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';
import type { PoliteClient, PoliteRequest } from './polite-client.ts';
import { readBodyText } from './read-text.ts';
import { isBotUrl, userAgentOf } from './user-agent.ts';

clause(
  ['AWI-R1', 'AWI-R2'],
  'what robots.txt forbids AIWebIndex is never asked for, and a block of our own replaces *',
  async () => {
    await using site = await startSite({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /\n\nUser-agent: aiwebindex\nDisallow: /x' },
      '/y': {},
    });
    const { client } = polite();
    await expect(client.get({ url: site.url('/x/page') })).rejects.toMatchObject({
      name: 'RobotsDeniedError',
      recovery: 'fix-input',
    });
    expect(await read(client, site.url('/y'))).toBe('words');
    expect(site.paths()).toEqual(['/robots.txt', '/y']);
  },
);

clause('AWI-R2', 'rules for * apply where nobody speaks to us', async () => {
  await using site = await startSite({ '/robots.txt': { body: 'User-agent: *\nDisallow: /' } });
  const { client } = polite();
  await expect(client.get({ url: site.url('/') })).rejects.toMatchObject({ name: 'RobotsDeniedError' });
  expect(site.paths()).toEqual(['/robots.txt']);
});

clause('AWI-R1', 'a redirect is asked for leave like any other page', async () => {
  await using site = await startSite({
    '/robots.txt': { body: 'User-agent: AIWebIndex\nDisallow: /x' },
    '/a': { status: 302, headers: { location: '/x' } },
  });
  const { client } = polite();
  await expect(client.get({ url: site.url('/a') })).rejects.toMatchObject({ name: 'RobotsDeniedError' });
  expect(site.paths()).toEqual(['/robots.txt', '/a']);
});

test('a robots.txt that cannot be read forbids everything for now', async () => {
  await using site = await startSite({ '/robots.txt': { status: 500 }, '/': {} });
  const { client } = polite();
  const refused = client.get({ url: site.url('/') });
  await expect(refused).rejects.toMatchObject({
    name: 'RobotsDeniedError',
    recovery: 'retry-later',
    retryAfterMs: expect.closeTo(300_000, -3),
  });
  expect(site.paths()).toEqual(['/robots.txt']);
});

test('where nobody answers, that is what is said, not that robots.txt forbids it', async () => {
  const { client } = polite();
  await expect(client.get({ url: new URL('http://127.0.0.1:9/') })).rejects.toMatchObject({ name: 'ConnectionError' });
  await expect(client.get({ url: new URL('http://nobody.invalid/') })).rejects.toMatchObject({ name: 'DnsError' });
});

clause(
  ['AWI-R3', 'AWI-R4'],
  'pages of one host are asked for 2 s apart, from the end of one to the start of the next',
  async () => {
    await using site = await startSite({ '/a': {}, '/b': {}, '/c': { status: 302, headers: { location: '/a' } } });
    const { client, waits } = polite({ cooldownMs: 2000 });
    for (const path of ['/a', '/b', '/c']) await read(client, site.url(path));
    expect(site.paths()).toEqual(['/robots.txt', '/a', '/b', '/c', '/a']);
    expect(waits.filter((ms) => ms > 1500)).toHaveLength(3);
  },
);

clause('AWI-R3', 'two fetches of one host never run at once; those of two hosts do', async () => {
  await using site = await startSite({ '/a': { delayMs: 50 }, '/b': { delayMs: 50 } });
  const { client } = polite({ cooldownMs: 0 });
  await Promise.all(['/a', '/b', '/a', '/b'].map((path) => read(client, site.url(path))));
  expect(site.mostAtOnce).toBe(1);

  const other = polite({ cooldownMs: 0 });
  const named = site.url('/b');
  named.hostname = 'localhost';
  await Promise.all([read(other.client, site.url('/a')), read(other.client, named)]);
  expect(site.mostAtOnce).toBe(2);
});

clause(
  'AWI-R3',
  'two clients that share a memory never ask a host at once, and the pause runs from the end',
  async () => {
    await using site = await startSite({ '/a': { delayMs: 300 }, '/b': { delayMs: 300 } });
    const memory = new MemoryHostMemory();
    const [one, other] = [polite({ memory, wait: sleep }), polite({ memory, wait: sleep })];
    await Promise.all([read(one.client, site.url('/a')), read(other.client, site.url('/b'))]);
    expect(
      site
        .paths()
        .filter((path) => path !== '/robots.txt')
        .toSorted(),
    ).toEqual(['/a', '/b']);
    expect(site.mostAtOnce).toBe(1);
  },
);

test('the pause is 2 s at least for hosts that are not our own', async () => {
  await using site = await startSite({ '/a': {} });
  const { client, waits } = polite({ cooldownMs: 0, isPrivate: false });
  await read(client, site.url('/a'));
  await read(client, site.url('/a'));
  expect(waits.filter((ms) => ms > 1500)).toHaveLength(1);
});

clause('AWI-R5', 'Crawl-delay raises the pause and never lowers it', async () => {
  for (const [delay, atLeastMs] of [
    ['5', 4500],
    ['0.5', 1500],
  ] as const) {
    await using site = await startSite({ '/robots.txt': { body: `User-agent: *\nCrawl-delay: ${delay}` }, '/a': {} });
    const { client, waits } = polite({ cooldownMs: 2000 });
    await read(client, site.url('/a'));
    await read(client, site.url('/a'));
    expect(Math.max(...waits)).toBeGreaterThan(atLeastMs);
    expect(Math.max(...waits)).toBeLessThanOrEqual(atLeastMs + 501);
  }
});

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const DATE = new Date(START_MS + 90_000).toUTCString();

for (const [id, status, header, pauseMs] of [
  ['AWI-R6', 429, '90', 90_000],
  ['AWI-R6', 429, DATE, 89_000],
  ['AWI-R7', 429, undefined, 60_000],
  ['AWI-R7', 429, 'soon', 60_000],
  ['AWI-R8', 503, '120', 120_000],
  ['AWI-R8', 503, undefined, 60_000],
  ['AWI-R6', 429, '0', 2000],
] as const) {
  clause(
    ['AWI-R6', 'AWI-R7', 'AWI-R8'],
    `[${id}] ${status} with Retry-After ${header} keeps us from the whole origin`,
    async () => {
      const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
      await using site = await startSite({ '/a': { status, headers }, '/b': {} });
      const { client, skip } = polite();
      await client.get({ url: site.url('/a') }).then((response) => response.discard());
      const refused = client.get({ url: site.url('/b'), maxWaitMs: 0 });
      await expect(refused).rejects.toMatchObject({ name: 'HostPausedError', recovery: 'retry-later' });
      skip(pauseMs - 1500);
      await expect(client.get({ url: site.url('/b'), maxWaitMs: 0 })).rejects.toMatchObject({
        name: 'HostPausedError',
      });
      expect(site.paths()).toEqual(['/robots.txt', '/a']);
      skip(2500);
      expect(await read(client, site.url('/b'))).toBe('words');
    },
  );
}

clause(
  ['AWI-R6', 'AWI-R8'],
  'a pause holds for every way out, and for who starts again with the same memory',
  async () => {
    await using site = await startSite({ '/a': { status: 503 }, '/feed': {} });
    const memory = new MemoryHostMemory();
    const first = polite({ memory });
    await first.client.get({ url: site.url('/a') }).then((response) => response.discard());
    await expect(first.http.get({ url: site.url('/feed') })).rejects.toMatchObject({ name: 'HostPausedError' });
    await expect(polite({ memory }).client.get({ url: site.url('/feed') })).rejects.toMatchObject({
      name: 'HostPausedError',
    });
    expect(site.paths()).toEqual(['/robots.txt', '/a']);
  },
);

test('a robots.txt that answers 429 pauses its origin', async () => {
  await using site = await startSite({ '/robots.txt': { status: 429 } });
  const { client } = polite();
  await expect(client.get({ url: site.url('/') })).rejects.toMatchObject({ name: 'RobotsDeniedError' });
  await expect(client.get({ url: site.url('/') })).rejects.toMatchObject({ retryAfterMs: expect.any(Number) });
  expect(site.paths()).toEqual(['/robots.txt']);
});

test('a short pause is waited for when the caller has the time', async () => {
  await using site = await startSite({ '/a': { status: 429, headers: { 'retry-after': '7' } }, '/b': {} });
  const { client, waits } = polite();
  await client.get({ url: site.url('/a') }).then((response) => response.discard());
  expect(await read(client, site.url('/b'), { maxWaitMs: 10_000 })).toBe('words');
  expect(Math.max(...waits)).toBeGreaterThan(6000);
});

test('a caller who stops waiting leaves the line to the others', async () => {
  await using site = await startSite({ '/a': { delayMs: 100 }, '/b': {} });
  const { client } = polite({ cooldownMs: 0 });
  const controller = new AbortController();
  const slow = read(client, site.url('/a'));
  const stopped = client.get({ url: site.url('/b'), signal: controller.signal });
  const last = read(client, site.url('/b'));
  controller.abort();
  await expect(stopped).rejects.toMatchObject({ name: 'FetchAbortedError' });
  expect([await slow, await last]).toEqual(['words', 'words']);
});

clause(
  ['AWI-UA1', 'AWI-PR1'],
  'robots.txt, pages and the targets of redirects see our name and nothing of the caller',
  async () => {
    await using site = await startSite({
      '/a': { status: 302, headers: { location: '/b', 'set-cookie': 'id=1' } },
      '/b': {},
    });
    await read(polite().client, site.url('/a'));
    expect(site.paths()).toEqual(['/robots.txt', '/a', '/b']);
    for (const headers of site.headers) {
      expect(headers['user-agent']).toMatch(/^AIWebIndex\/2\.0 \(\+https?:\/\/[^;)]+; tidings\)$/);
      for (const name of ['cookie', 'authorization', 'referer', 'from', 'forwarded', 'x-forwarded-for', 'via']) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  },
);

clause(['AWI-UA4', 'AWI-SE5'], 'a refusal is taken as it is: no second try under another name', async () => {
  await using site = await startSite({ '/a': { status: 403 } });
  const response = await polite().client.get({ url: site.url('/a') });
  await response.discard();
  expect(response.status).toBe(403);
  expect(site.paths()).toEqual(['/robots.txt', '/a']);
});

clause('AWI-UA2', 'the name tells where to read about who runs it', () => {
  expect(userAgentOf('https://lab.example/bot')).toBe('AIWebIndex/2.0 (+https://lab.example/bot; tidings)');
  expect(userAgentOf(), 'no page of somebody else').toBe('AIWebIndex/2.0 (tidings)');
  for (const text of [
    'lab.example',
    'https://a.example/) evil',
    'https://a.example/;x',
    'javascript:1',
    'https://a.example/\n',
  ]) {
    expect(isBotUrl(text), text).toBe(false);
  }
});

interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delayMs?: number;
}

/** A real site on loopback. What is not there is 404, its robots.txt too. */
async function startSite(pages: Readonly<Record<string, Served>>) {
  const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = 'words', delayMs = 0 } = pages[path] ?? { status: 404 };
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    const answer = () => {
      atOnce -= 1;
      response.writeHead(status, headers).end(body);
    };
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string) => new URL(path, `http://127.0.0.1:${port}/`),
    paths: () => seen.map(({ path }) => path),
    get headers() {
      return seen.map(({ headers }) => headers);
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Manners {
  /** How to wait, where the clock must not be moved. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly memory?: HostMemory;
  readonly cooldownMs?: number;
  readonly isPrivate?: boolean;
}

/** A polite client whose clock moves on by what it waits for. */
function polite({ memory = new MemoryHostMemory(), cooldownMs = 0, isPrivate = true, ...manners }: Manners = {}) {
  const waits: number[] = [];
  let skippedMs = 0;
  // The clock stands but for what is skipped, unless pauses are really waited for.
  const now = () => (manners.wait === undefined ? START_MS : Date.now()) + skippedMs;
  const skip = (ms: number) => {
    skippedMs += ms;
  };
  const wait =
    manners.wait ??
    (async (ms: number) => {
      waits.push(ms);
      skip(ms);
    });
  const guarded = createUndiciHttpClient({ allowPrivate: true, userAgent: userAgentOf('https://lab.example/bot') });
  const { client, http } = politely(guarded, { memory, now, wait, cooldownMs, isPrivate });
  return { client, http, waits, skip };
}

async function read(client: PoliteClient, url: URL, request: Partial<PoliteRequest> = {}): Promise<string> {
  return await readBodyText(await client.get({ url, ...request }), { maxBytes: 1000 });
}
