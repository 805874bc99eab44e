import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { announceEndpoint, newSigningKey } from '../src/doors/surface.ts';
import { clause } from './clause.ts';
import {
  announcement,
  deprecation,
  type LiveOrigin,
  schemaChange,
  startLiveOrigin,
} from './support/agent-feed-origin.ts';
import { createTestAuthority } from './support/test-ca.ts';

/** Their ids are given where they are stated. */
const ANNOUNCED = announcement('');
const CHANGED = schemaChange('', { migration: { add: ['/currency'], rename: { '/amount': '/total' } } });
const DEPRECATED = deprecation('', { sunset: '2099-01-01T00:00:00Z' });

const TOKEN = 'test-token-of-the-agent-feed-hub';

let folder: string;
let origin: LiveOrigin;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-agent-feed-hub-'));
  const authority = createTestAuthority();
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  origin = await startLiveOrigin(authority);
  hub = await start();
});

afterAll(async () => {
  await hub.close();
  await origin[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<RunningHub> {
  const acme = { id: 'acme', kind: 'feed' as const, dialect: 'agent-feed' as const, url: origin.url };
  const surface = { dir: './surface' };
  const settings = { port: 0, allowPrivate: true, ca: './ca.pem', data: './data', limits: { perMinute: 500 } };
  return startHub({ ...settings, surface, sources: [acme] }, { base: folder, token: TOKEN });
}

// biome-ignore lint/suspicious/noExplicitAny: a reader of JSON, as a script would be
type Json = any;

async function admin(method: string, path: string): Promise<Json> {
  const answer = await fetch(new URL(`api/v1/sources/acme${path}`, hub.url), {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  expect(answer.status).toBeLessThan(300);
  return await answer.json();
}

/** An operator's check, to its end. */
async function check(verb = '/check'): Promise<{ source: Json; check: Json }> {
  const count = async () => (await admin('GET', '/checks?limit=500')).checks.length;
  const before = await count();
  await admin('POST', verb);
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(before), { timeout: 60_000, interval: 20 });
  return { source: await admin('GET', ''), check: (await admin('GET', '/checks?limit=1')).checks[0] };
}

const getJson = async (path: string): Promise<Json> => await (await fetch(new URL(path, hub.url))).json();
const aicf = async () =>
  (await (await fetch(new URL('aicf/acme.ndjson', hub.url))).text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
/** What the three dialects say of the newest change, once they all know it. */
async function told(changes: number) {
  await vi.waitFor(
    async () => {
      expect(await aicf()).toHaveLength(changes);
      const { changes: all } = await getJson('api/v1/changes?source=acme');
      expect(all).toHaveLength(changes);
      const { buckets } = await getJson('diff/acme/latest.json');
      const [item] = [...buckets.new, ...buckets.updated, ...buckets.removed];
      expect(item?.provenance.revision).toBe(changes);
    },
    { timeout: 60_000, interval: 20 },
  );
  const { buckets } = await getJson('diff/acme/latest.json');
  return {
    line: (await aicf()).at(-1),
    change: (await getJson('api/v1/changes?source=acme')).changes.at(-1),
    buckets,
    item: [...buckets.new, ...buckets.updated, ...buckets.removed][0],
  };
}

test('announced, changed, deprecated: in every dialect, with who signed it, over a restart', async () => {
  origin.state(ANNOUNCED);
  await check();
  const url = `${origin.url}orders`;
  const provenance = { by: 'agent-feed', verified: true, signer: origin.signer, endpointId: 'orders-api' };
  const announced = await told(1);
  expect(announced.line).toMatchObject({ action: 'create', url, note: 'endpoint-announcement' });
  expect(announced.change).toMatchObject({ kind: 'endpoint', action: 'create', url, boundary: url, provenance });
  expect(announced.buckets.new).toHaveLength(1);

  await hub.close();
  hub = await start();
  origin.state(CHANGED);
  await check();
  const changed = await told(2);
  expect(changed.line).toMatchObject({ action: 'update', url, note: 'schema-change' });
  expect(changed.item).toMatchObject({
    id: 'endpoint:orders-api',
    url,
    headline: 'orders-api 1.1 (rest)',
    content: {
      excerpt_text: 'The schema of orders-api changed from 1.0 to 1.1: /currency added, /amount renamed to /total.',
    },
    provenance: { verified: true, signer: origin.signer, revision: 2 },
  });
  expect(changed.buckets.updated).toHaveLength(1);

  origin.state(DEPRECATED);
  await check();
  const deprecated = await told(3);
  expect(deprecated.change).toMatchObject({ action: 'update', note: 'deprecation', provenance });
  // No page is fetched for an endpoint.
  expect(origin.site.asked.filter(({ url: asked }) => !asked.includes('/.well-known/'))).toEqual([]);
});

test('a signature that does not hold changes nothing; without identity the source is in error and nothing goes', async () => {
  origin.forge(announcement('', { endpoint: 'https://evil.example/orders', version: '9' }));
  const notes = [expect.stringContaining('is passed over')];
  const noted = { source: { status: 'ok', notes, health: { notes: 1 } }, check: { outcome: 'ok', changes: 0, notes } };
  expect(await check()).toMatchObject(noted);
  expect(await check()).toMatchObject(noted);
  origin.identity({ status: 404 });
  expect(await check()).toMatchObject({
    source: { status: 'error', errorMessage: expect.stringContaining('Nothing is deleted for that') },
    check: { outcome: 'error', changes: 0, error: { code: 'AgentFeedUnreadError' } },
  });
  origin.identity();
  expect(await check()).toMatchObject({ source: { status: 'ok' } });
  await told(3);
});

test('terminated: deletes that nobody signed, once; only an operator brings the feed back', async () => {
  origin.status('terminated');
  expect(await check()).toMatchObject({
    source: { status: 'error', errorMessage: expect.stringContaining('tidings source retrust acme') },
    check: { changes: 1, error: { code: 'AgentFeedUntrustedError' } },
  });
  const ended = await told(4);
  expect(ended.line).toMatchObject({ action: 'delete', note: 'terminated' });
  expect(ended.change.provenance).toMatchObject({ verified: false });
  expect(ended.change.provenance).not.toHaveProperty('signer');
  expect(ended.buckets.removed).toMatchObject([{ id: 'endpoint:orders-api', provenance: { verified: false } }]);

  origin.status('active');
  await hub.close();
  hub = await start();
  expect(await check()).toMatchObject({ source: { status: 'error' }, check: { changes: 0 } });
  const { source } = await check('/retrust');
  expect(source).toMatchObject({ status: 'ok' });
  expect(await told(5)).toMatchObject({
    line: { action: 'create', url: `${origin.url}orders` },
    change: { provenance: { verified: true, signer: origin.signer } },
  });
  expect(await check()).toMatchObject({ check: { changes: 0 } });
});

test('trust is given back to a paused source without waking it, and to no source that is not there', async () => {
  await admin('POST', '/pause');
  expect(await admin('POST', '/retrust')).toMatchObject({ status: 'disabled' });
  expect(await check('/resume')).toMatchObject({ source: { status: 'ok' }, check: { changes: 0 } });
  const answer = await fetch(new URL('api/v1/sources/nobody/retrust', hub.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(answer.status).toBe(404);
});

const artifact = (name: string, headers: Record<string, string> = {}) =>
  fetch(new URL(`.well-known/${name}`, hub.url), { headers });

const WAITING = { timeout: 30_000, interval: 200 };

/** The paths of documents that the log of the hub has entries of, as it stands. */
async function boundArtifacts(): Promise<readonly string[]> {
  const log = async (path: string) => await (await fetch(new URL(`.well-known/tidings/${path}`, hub.url))).text();
  const size = Number((await log('checkpoint')).split('\n')[1]);
  if (!(size > 0 && size < 256)) throw new Error(`The log has ${size} entries.`);
  const entries = await log(`tile/entries/000.p/${size}`);
  return [...entries.matchAll(/"path":"([^"]*)"/g)].map(([, path = '']) => path);
}

clause(
  ['AF-IA1', 'AF-IA2', 'AF-PB2'],
  'the hub serves its own surface as it was written, with all that a cache needs',
  async () => {
    const missing = await artifact('agent-feed.xml');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/problem+json']);

    const key = join(folder, 'key.json');
    const dir = join(folder, 'surface');
    await newSigningKey({ key });
    const target = { dir, site: 'https://hub.example/', key };
    const announcement = { endpoint: '/api/v1/changes', protocol: 'rest', version: '1' };
    await announceEndpoint(target, { ...announcement, endpointId: 'changes' });
    for (const [name, type] of [
      ['did.json', 'application/json'],
      ['agent-feed.xml', 'application/atom+xml'],
      ['agent-card.json', 'application/json'],
    ] as const) {
      const answer = await artifact(name);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      expect(answer.headers.get('cache-control')).toMatch(name === 'did.json' ? /max-age=60$/ : /max-age=300$/);
      expect(await answer.text()).not.toBe('');
      const etag = answer.headers.get('etag') ?? '';
      const again = await artifact(name, { 'if-none-match': etag });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }

    // The provable log binds the Atom feeds of a hub, and none of these files.
    await vi.waitFor(async () => expect(await boundArtifacts()).toContain('atom/acme.atom'), WAITING);
    expect((await boundArtifacts()).filter((path) => path.startsWith('.well-known/'))).toEqual([]);

    const before = await (await artifact('agent-feed.xml')).text();
    await announceEndpoint(target, { ...announcement, endpointId: 'sources', endpoint: '/api/v1/sources' });
    const after = await (await artifact('agent-feed.xml')).text();
    expect(before).not.toContain('/api/v1/sources');
    expect(after).toContain('/api/v1/sources');

    // What is half there is not served: what was whole before is, and after a restart nothing.
    const file = join(dir, '.well-known', 'agent-feed.xml');
    await writeFile(`${file}.kept`, after);
    await truncate(file, 300);
    expect(await (await artifact('agent-feed.xml')).text()).toBe(after);
    await hub.close();
    hub = await start();
    const half = await artifact('agent-feed.xml');
    expect([half.status, half.headers.get('retry-after')]).toEqual([503, '2']);
    await truncate(file, 0);
    expect((await artifact('agent-feed.xml')).status).toBe(503);
    await rename(`${file}.kept`, file);
    expect(await (await artifact('agent-feed.xml')).text()).toBe(after);
    await rm(file);
    expect((await artifact('agent-feed.xml')).status).toBe(404);
  },
);

clause('AF-SC5', 'who asks for the surface too often is told when to come back', async () => {
  const answers = await Promise.all(Array.from({ length: 520 }, () => artifact('did.json')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});
