import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { spawnTidings, startTidings, TOKEN } from './support/cluster-processes.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { type LiveSite, startLiveSite } from './support/live-site.ts';
import { describeOnPostgres } from './support/on-postgres.ts';
import { htmlPage } from './support/site.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-cluster-'));
afterAll(() => rm(root, { recursive: true }));
const newFolder = () => mkdtemp(join(root, 'data-'));

const SITES = 4;
const FEEDS = [
  'ai-changes.ndjson',
  'changes.atom',
  'diff/latest.json',
  'diff/head.json',
  'aicf/s1.ndjson',
  'atom/s1.atom',
];

/** Each edit is another section's: what changes at every look is held back. */
function page(edits: number): string {
  const sections = ['one', 'two', 'three'].map((id, at) => ({
    id,
    heading: `Section ${id}`,
    text: `The ${at < edits ? 'edited' : 'first'} text of section ${id}, of some length, so that it counts as one.`,
  }));
  return htmlPage('A page', sections);
}

async function addSources(hub: string, sites: readonly LiveSite[]): Promise<void> {
  for (const [at, { url }] of sites.entries()) {
    const source = { id: `s${at}`, kind: 'page', url: `${url}a`, intervalSeconds: 1 };
    const answer = await fetch(new URL('api/v1/sources', hub), {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(source),
    });
    expect(answer.status, await answer.text()).toBe(201);
  }
}

async function eventsOf(hub: string): Promise<readonly { readonly id: string; readonly url: string }[]> {
  const text = await (await fetch(new URL('ai-changes.ndjson', hub))).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function feedOf(hub: string, path: string) {
  const answer = await fetch(new URL(path, hub));
  const [etag, date] = ['etag', 'last-modified'].map((name) => answer.headers.get(name));
  return { path, status: answer.status, etag, date, body: await answer.text() };
}

async function ended(args: readonly string[]) {
  const { child, stderr } = spawnTidings(args);
  const [code] = await once(child, 'close');
  return { code, stderr: stderr() };
}

/** Ends what was begun, in the reverse order. */
class Endings {
  readonly #ends: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(one: T): T {
    this.#ends.unshift(one);
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#ends) await one[Symbol.asyncDispose]();
  }
}

describeOnPostgres('a hub of several processes', (server) => {
  test('serves the same everywhere, and goes on when one of them is killed', { timeout: 110_000 }, async () => {
    const sites = await Promise.all(Array.from({ length: SITES }, () => startLiveSite({ '/a': page(0) })));
    await using open = new Endings();
    for (const site of sites) open.use(site);
    const env = { TIDINGS_DATABASE: server().url, TIDINGS_COOLDOWN: '0' };
    const serve = async () =>
      startTidings(
        ['serve', '--no-worker', '--port', '0', '--base-url', 'https://hub.example/', '--data', await newFolder()],
        env,
      );
    const worker = async () => startTidings(['worker', '--data', await newFolder()], env);
    const one = open.use(await serve());
    const [two, first, second] = await Promise.all([serve(), worker(), worker()]);
    for (const each of [two, first, second]) open.use(each);
    await addSources(one.said.url, sites);

    const told = async (hub: string) => (await eventsOf(hub)).length;
    const toldEverywhere = async (count: number) => {
      for (const hub of [one, two]) await expect.poll(() => told(hub.said.url), { timeout: 25_000 }).toBe(count);
    };
    const edit = async (edits: number, count: number) => {
      for (const site of sites) site.put({ '/a': page(edits) });
      await toldEverywhere(count);
    };
    await toldEverywhere(SITES);
    await edit(1, 2 * SITES);

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await edit(2, 3 * SITES);

    const events = await eventsOf(two.said.url);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    for (const path of FEEDS) {
      const [here, there] = await Promise.all([feedOf(one.said.url, path), feedOf(two.said.url, path)]);
      expect(here.status, path).toBe(200);
      expect(there).toEqual(here);
    }
    await expect
      .poll(async () => (await (await fetch(new URL('healthz', two.said.url))).json()).processes, { timeout: 5000 })
      .toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'serve', roles: ['projector'] })]));
    expect(one.stderr() + two.stderr() + second.stderr()).not.toContain(server().password);
  });

  test('a wrong password and a database that is away end who has nothing, without showing a password', {
    timeout: 60_000,
  }, async () => {
    const wrong = new URL(server().url);
    wrong.password = 'a-wrong-word';
    const away = 'postgres://tidings:another-word@127.0.0.1:1/postgres';
    for (const [verb, url] of [
      ['serve', wrong.href],
      ['worker', wrong.href],
      ['serve', away],
    ] as const) {
      const { code, stderr } = await ended([verb, '--data', await newFolder(), '--database', url]);
      expect([verb, code], stderr).toEqual([verb, 3]);
      expect(stderr).not.toMatch(/a-wrong-word|another-word/);
    }
  });

  test('a worker waits for the database, and ends when it is told to', { timeout: 60_000 }, async () => {
    const worker = spawnTidings(['worker', '--data', await newFolder()], {
      TIDINGS_DATABASE: 'postgres://127.0.0.1:1/hub',
    });
    await expect.poll(worker.stderr, { timeout: 20_000 }).toContain('Waits for the database');
    worker.child.kill('SIGTERM');
    const [code] = await once(worker.child, 'exit');
    expect(code).toBe(0);
  });

  test('without the database a server serves its copy and says how old it is', {
    timeout: 90_000,
  }, async () => {
    await using site = await startLiveSite({ '/a': page(0) });
    const url = new URL(server().url);
    url.searchParams.set('schema', 'away');
    const proxy = await startCuttingProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const args = ['serve', '--port', '0', '--base-url', 'https://hub.example/', '--data', await newFolder()];
    const env = { TIDINGS_DATABASE: url.href, TIDINGS_COOLDOWN: '0' };
    {
      await using first = await startTidings(args, env);
      await addSources(first.said.url, [site]);
      await expect.poll(() => eventsOf(first.said.url), { timeout: 15_000 }).toHaveLength(1);
    }
    await proxy[Symbol.asyncDispose]();
    await using again = await startTidings(args, env);
    expect(await eventsOf(again.said.url)).toHaveLength(1);
    const health = await (await fetch(new URL('healthz', again.said.url))).json();
    expect(health).toMatchObject({
      ok: true,
      currentAt: expect.any(String),
      trouble: expect.stringContaining('database'),
    });
    const refused = await fetch(new URL('api/v1/sources/s0/pause', again.said.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(refused.status).toBe(503);
  });
});
