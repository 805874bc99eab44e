import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { bytesOf, createFeedLab } from '../../../../test/support/feed-lab.ts';
import { check } from '../../../doors/check.ts';
import { follow } from '../../../doors/follow.ts';
import { isPushed } from '../../../hub/http/pushed-body.ts';
import type { FeedGenerations } from './feed-generations.ts';
import { feedRoutes } from './feed-routes.ts';

interface Seen {
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
}

/** The least that a server must do with the routes. */
async function startHub(shelf: FeedGenerations, sources: readonly string[]) {
  const seen: Seen[] = [];
  const routes = feedRoutes({
    shelf,
    hub: { baseUrl: () => origin, isSource: (id) => sources.includes(id) },
    now: Date.now,
  });
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://hub.example/');
    for (const route of routes) {
      const pattern = route.path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
      const match = new RegExp(`^${pattern}$`).exec(pathname);
      if (match === null) continue;
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const {
        status,
        headers: answered,
        also,
        body,
      } = await route.handle({
        method: request.method ?? 'GET',
        params: { ...match.groups },
        query: searchParams,
        headers,
        body: undefined,
        isAdmin: false,
        clientIp: '127.0.0.1',
        signal: new AbortController().signal,
      });
      seen.push({ path: pathname, status, headers: request.headers });
      response.writeHead(status, { ...answered, ...also });
      if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) response.end(body);
      else if (!isPushed(body)) await pipeline(Readable.from(body), response).catch(() => undefined);
      return;
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    origin,
    takeSeen: () => seen.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function ask(url: string, headers: Record<string, string>, method = 'GET') {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest(url, { headers, method }, resolve).on('error', reject).end();
  });
  return { status: response.statusCode, headers: response.headers, body: await bytesOf(response) };
}

async function idsOf(events: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of events) ids.push(id);
  return ids;
}

clause(['AICF-C3', 'AICF-C6', 'AICF-F2'], 'our own follower reads each change once, in new bytes only', async () => {
  await using lab = await createFeedLab('text-edit');
  await using shelf = await lab.open();
  await using hub = await startHub(shelf, ['docs']);
  const state = lab.path('../follow.db');
  const poll = async (path: string) => {
    return idsOf(follow({ url: new URL(path, hub.origin).href, once: true, allowPrivate: true, state }));
  };
  const ids = () => lab.log.map(({ id }) => id);

  expect(await poll('/')).toEqual([]);
  await shelf.add(lab.commit('docs', 'docs', 'docs'));
  expect(await poll('/')).toEqual(ids());
  hub.takeSeen();
  expect(await poll('/')).toEqual([]);
  expect(hub.takeSeen().map(({ status }) => status)).toEqual([304, 304]);

  await shelf.add(lab.commit('docs', 'blog'));
  expect(await poll('/')).toEqual(ids().slice(3));
  expect(hub.takeSeen().map(({ path, status }) => `${path} ${status}`)).toEqual([
    '/.well-known/ai-changefeed 304',
    '/ai-changes.ndjson 206',
  ]);
  expect(await poll('/')).toEqual([]);
  expect(hub.takeSeen().map(({ status }) => status)).toEqual([304, 304]);
});

test('the follower reads one source by its feed or by its discovery document', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await using hub = await startHub(shelf, ['docs']);
  await shelf.add(lab.commit('docs', 'blog', 'docs'));
  const wanted = lab.log.filter(({ source }) => source === 'docs').map(({ id }) => id);
  for (const path of ['/aicf/docs.ndjson', '/aicf/docs/.well-known/ai-changefeed']) {
    const events = follow({ url: new URL(path, hub.origin).href, once: true, allowPrivate: true });
    expect(await idsOf(events)).toEqual(wanted);
  }
});

clause(['AICF-F1', 'AICF-H1', 'AICF-S2'], 'the check finds nothing to mend in the feeds', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await using hub = await startHub(shelf, []);
  const changes = lab.commit('docs', 'blog', 'docs');
  await shelf.add(changes.map((change) => ({ ...change, url: new URL(`/page-${change.seq}`, hub.origin).href })));
  const findings = await check(hub.origin, { allowPrivate: true });
  expect(findings.map(({ clause: id }) => id)).toEqual(['AICF-P3']);
});

test('over a socket: conditions, parts, HEAD and encodings as the headers say', async () => {
  await using lab = await createFeedLab('x'.repeat(500));
  await using shelf = await lab.open();
  await using hub = await startHub(shelf, []);
  await shelf.add(lab.commit(...Array.from({ length: 3000 }, () => 'docs')));
  const url = new URL('/aicf/docs.ndjson', hub.origin).href;
  const text = Buffer.from(lab.derived('docs'));
  expect(text.length, 'more than what is held in memory').toBeGreaterThan(1024 * 1024);

  const plain = await ask(url, {});
  expect(plain.body.equals(text)).toBe(true);
  const head = await ask(url, {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(text.length) }, body: Buffer.of() });
  const part = await ask(url, { range: 'bytes=1000-1400000', 'accept-encoding': 'gzip' });
  expect(part.status).toBe(206);
  expect(part.body.equals(text.subarray(1000, 1_400_001))).toBe(true);
  const same = await ask(url, { 'if-none-match': plain.headers.etag ?? '' });
  expect(same).toMatchObject({ status: 304, body: Buffer.of() });

  // undici unpacks by itself.
  for (const encoding of ['gzip', 'br, gzip', 'identity']) {
    const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : 'gzip');
    expect(Buffer.from(await response.arrayBuffer()).equals(text)).toBe(true);
  }
});
