import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runHub } from '../src/doors/run-hub.ts';
import { decodeHubConfig } from '../src/hub/config/decode-config.ts';
import type { LogFields } from '../src/hub/watch/logger.ts';
import { freePort, NGINX, startNginx } from './support/nginx.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';

if (NGINX === undefined) process.stderr.write('nginx is not installed: deploy/nginx.conf is NOT tested here.\n');

const FEED = 'ai-changes.ndjson';
const pageNamed = (title: string, text: string) =>
  htmlPage(title, [
    { id: 'one', heading: 'One', text },
    { id: 'two', heading: 'Two', text: `The second part of ${title} stays as it is.` },
    { id: 'three', heading: 'Three', text: `The third part of ${title} stays as it is.` },
  ]);

test.skipIf(NGINX === undefined)('conditions, ranges and compressed forms of the hub pass through nginx', async () => {
  await using place = await startPlace();
  const direct = await ask(place.hub + FEED);
  const feed = await ask(place.proxy + FEED);
  expect(feed).toMatchObject({ status: 200, headers: { 'content-type': 'application/x-ndjson' } });
  expect(feed.body.equals(direct.body)).toBe(true);
  expect(feed.headers.etag).toBe(direct.headers.etag);
  await expectFeedSemantics(place, feed);

  const health = await ask(`${place.proxy}state/health.json`);
  const again = await ask(`${place.proxy}state/health.json`, { 'if-none-match': String(health.headers.etag) });
  expect([health.status, again.status]).toEqual([200, 304]);

  const grown = await place.edit(() => ask(place.proxy + FEED, { 'if-none-match': String(feed.headers.etag) }));
  expect(grown.status).toBe(200);
  expect(grown.body.subarray(0, feed.body.length).equals(feed.body)).toBe(true);
  const rest = await ask(place.proxy + FEED, { range: `bytes=${feed.body.length}-` });
  expect([rest.status, rest.body.toString()]).toEqual([206, grown.body.subarray(feed.body.length).toString()]);
});

test.skipIf(NGINX === undefined)('what is for the operator alone stays inside', async () => {
  await using place = await startPlace();
  const paths = ['metrics', 'api/v1/sources', 'api/v1/sources/docs', 'api/v1/%73ources', 'api/v1/changes'];
  const through = await Promise.all(paths.map(async (path) => (await ask(place.proxy + path)).status));
  expect(through).toEqual([403, 403, 403, 403, 200]);
  const direct = await Promise.all(paths.map(async (path) => (await ask(place.hub + path)).status));
  expect(direct).toEqual([200, 401, 401, 401, 200]);
});

test.skipIf(NGINX === undefined)(
  'X-Forwarded-For is believed from the proxy, and only what the proxy says',
  async () => {
    await using place = await startPlace();
    // Another address than that of the proxy, as every client has.
    const from = '127.0.0.2';
    await ask(`${place.proxy}healthz`, {}, { from });
    await ask(`${place.proxy}healthz`, { 'x-forwarded-for': '203.0.113.9' }, { from });
    await ask(`${place.hub}healthz`, { 'x-forwarded-for': '203.0.113.9' }, { from });
    expect(place.clientsOf('/healthz')).toEqual([from, from, from]);
    await ask(`${place.hub}healthz`, { 'x-forwarded-for': '203.0.113.9' });
    expect(place.clientsOf('/healthz').at(-1)).toBe('203.0.113.9');
  },
);

test.skipIf(NGINX === undefined)(
  'with the cache it is the same, and a change is seen when the cached second is over',
  async () => {
    await using place = await startPlace({ cached: true });
    const feed = await ask(place.proxy + FEED);
    expect(feed).toMatchObject({ status: 200, headers: { 'x-cache-status': 'MISS' } });
    expect(feed.headers.etag).toBe((await ask(place.hub + FEED)).headers.etag);
    await expectFeedSemantics(place, feed);

    const statuses = new Set<unknown>();
    await until(async () => {
      const { headers } = await ask(place.proxy + FEED, { 'if-none-match': String(feed.headers.etag) });
      return statuses.add(headers['x-cache-status']).has('REVALIDATED');
    });
    expect(statuses).toContain('HIT');

    const grown = await place.edit(() => ask(place.proxy + FEED, { 'if-none-match': String(feed.headers.etag) }));
    expect(grown.body.subarray(0, feed.body.length).equals(feed.body)).toBe(true);
    expect(grown.body.equals((await ask(place.hub + FEED)).body)).toBe(true);
    const rest = await ask(place.proxy + FEED, { range: `bytes=${feed.body.length}-`, 'accept-encoding': 'gzip, br' });
    expect([rest.status, rest.body.toString()]).toEqual([206, grown.body.subarray(feed.body.length).toString()]);
  },
);

/** What a reader of an append-only feed relies on. */
async function expectFeedSemantics({ proxy }: Place, feed: Answer): Promise<void> {
  const url = proxy + FEED;
  const etag = String(feed.headers.etag);
  const size = feed.body.length;
  expect(etag).toMatch(/^"[^"]+"$/);

  const known = await ask(url, { 'if-none-match': etag });
  expect([known.status, known.headers.etag, known.body.length]).toEqual([304, etag, 0]);
  expect((await ask(url, { 'if-none-match': '"other"' })).status).toBe(200);
  const head = await ask(url, {}, { method: 'HEAD' });
  expect([head.status, head.headers.etag, head.headers['content-length']]).toEqual([200, etag, String(size)]);
  expect(head.body).toHaveLength(0);

  const part = await ask(url, { range: 'bytes=5-14' });
  expect([part.status, part.headers['content-range'], part.headers.etag]).toEqual([206, `bytes 5-14/${size}`, etag]);
  expect(part.body.equals(feed.body.subarray(5, 15))).toBe(true);
  const beyond = await ask(url, { range: `bytes=${size}-` });
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
  expect((await ask(url, { range: 'bytes=5-14', 'if-range': etag })).status).toBe(206);
  expect((await ask(url, { range: 'bytes=5-14', 'if-range': '"other"' })).status).toBe(200);
  // Who has the plain beginning asks for the plain rest, whatever else he would take.
  const plain = await ask(url, { range: 'bytes=5-14', 'accept-encoding': 'br, gzip' });
  expect([plain.status, plain.headers['content-encoding'], plain.body.equals(part.body)]).toEqual([
    206,
    undefined,
    true,
  ]);

  const forms = [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const;
  for (const [encoding, decode] of forms) {
    const packed = await ask(url, { 'accept-encoding': encoding });
    expect([packed.status, packed.headers['content-encoding']]).toEqual([200, encoding]);
    expect(packed.headers.vary?.toLowerCase()).toContain('accept-encoding');
    expect(packed.headers.etag).toMatch(/^"[^"]+"$/);
    expect(packed.headers.etag).not.toBe(etag);
    expect(decode(packed.body).equals(feed.body)).toBe(true);
    const same = { 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) };
    expect(await ask(url, same)).toMatchObject({ status: 304, headers: { etag: packed.headers.etag } });
    expect((await ask(url, { 'accept-encoding': `${encoding};q=0` })).headers['content-encoding']).toBeUndefined();
  }
}

interface Place extends AsyncDisposable {
  readonly hub: string;
  readonly proxy: string;
  /** Changes a page; asks until the answer is another one than 304. */
  edit(look: () => Promise<Answer>): Promise<Answer>;
  /** Whom the hub takes for those who asked for this path, in order. */
  clientsOf(path: string): unknown[];
}

/** A hub on a folder, and nginx in front of it as deploy/nginx.conf says. */
async function startPlace({ cached = false } = {}): Promise<Place> {
  const folder = temporaryFolder();
  folder.write({ 'site/index.html': pageNamed('Limits', 'There are two tiers.') });
  for (let page = 0; page < 20; page += 1) {
    folder.write({ [`site/${page}.html`]: pageNamed(`Page ${page}`, 'It is long enough to be worth compressing.') });
  }
  const requests: LogFields[] = [];
  const logger = { debug: (fields: LogFields) => void requests.push(fields), info() {}, warn() {}, error() {} };
  const source = { id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
  const config = decodeHubConfig(
    { port: 0, allowPrivate: true, trustProxies: ['127.0.0.1'], sources: [source] },
    { base: folder.path },
  );
  const hub = await runHub(config, { logger, logRequests: true });
  const nginx = await startProxy(folder, new URL(hub.url).host, cached);
  await until(async () => (await ask(hub.url + FEED)).body.length > 0);
  return {
    hub: hub.url,
    proxy: nginx.url,
    async edit(look) {
      folder.write({ 'site/index.html': pageNamed('Limits', 'There are three tiers now.') });
      let answer = await look();
      await until(async () => {
        answer = await look();
        return answer.status !== 304;
      });
      return answer;
    },
    clientsOf: (path) => requests.filter((fields) => fields.path === path).map(({ client }) => client),
    async [Symbol.asyncDispose]() {
      await nginx.stop();
      await hub[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function startProxy(folder: TestFolder, hub: string, cached: boolean) {
  const port = await freePort();
  const prefix = join(folder.path, 'nginx');
  const site = readFileSync(new URL('../deploy/nginx.conf', import.meta.url), 'utf8')
    .replaceAll('#cache ', cached ? '' : '#cache ')
    .replace('server 127.0.0.1:8080;', `server ${hub};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*$/gm, '')
    .replace('/var/cache/nginx/tidings', join(prefix, 'cache'));
  expect(site).toContain(hub);
  const nginx = await startNginx(prefix, `types { application/x-ndjson ndjson; }\n${site}`);
  return { url: `http://127.0.0.1:${port}/`, stop: () => nginx[Symbol.asyncDispose]() };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came, not decoded. */
  readonly body: Buffer;
}

interface AskOptions {
  readonly method?: string;
  /** The address of this machine that the request comes from. */
  readonly from?: string;
}

function ask(url: string, headers: Record<string, string> = {}, { method = 'GET', from }: AskOptions = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false, localAddress: from }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Asks again until it is so, no faster than nginx lets one client ask. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { interval: 25 }).toBe(true);
}
