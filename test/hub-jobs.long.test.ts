import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runHub } from '../src/doors/run-hub.ts';
import { hubConfigOf } from '../src/doors/settings.ts';
import { temporaryFolder } from './support/site.ts';
import { running } from './support/watching-verb.ts';

const TOKEN = 'test-token-of-the-jobs';
const PATIENCE = { timeout: 20_000, interval: 50 };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A site whose one page is answered when the test says so. */
async function heldSite() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    await held;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Held</title><h1>Held</h1><p>It is here.</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    release,
    async [Symbol.asyncDispose]() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a reading that takes its time is on the board, on the first page and in a terminal, until it is over', async () => {
  using folder = temporaryFolder();
  await using site = await heldSite();
  const sources = [{ id: 'held', kind: 'site', url: site.url }];
  const data = join(folder.path, 'data');
  const config = hubConfigOf({ port: 0, allowPrivate: true, data, sources }, { base: folder.path });
  await using hub = await runHub(config, { logger: SILENT, token: TOKEN });
  const ask = async (path: string) => (await fetch(new URL(path, hub.url))).json();
  const watching = running(['status', '--watch', '--json', '--hub', hub.url]);
  const job = { what: 'First reading', source: 'held', unit: 'pages' };
  await expect.poll(async () => (await ask('api/v1/jobs')).running, PATIENCE).toMatchObject([job]);
  expect((await ask('api/v1/views/overview')).jobs).toMatchObject([job]);
  expect(await (await fetch(hub.url)).text()).toContain('<h2>Running now</h2>');
  site.release();
  await expect.poll(async () => (await ask('api/v1/jobs')).running, PATIENCE).toEqual([]);
  expect((await ask('api/v1/jobs')).ended).toMatchObject([{ ...job, outcome: 'done' }]);
  const seen = () => watching.out.map((line) => JSON.parse(line));
  await vi.waitFor(() => expect(seen().at(-1)).toMatchObject({ jobs: [], states: { ok: 1 } }), PATIENCE);
  expect(seen().some(({ jobs }) => jobs.length === 1)).toBe(true);
  watching.stop();
  expect(await watching.code).toBe(0);
});

test('an import shows how many of its sources were read, until all were', async () => {
  using folder = temporaryFolder();
  await using site = await heldSite();
  const config = hubConfigOf({ port: 0, allowPrivate: true, data: join(folder.path, 'data') }, { base: folder.path });
  await using hub = await runHub(config, { logger: SILENT, token: TOKEN });
  // Of one host they are asked for one after another.
  const sources = ['/none', '/nothing', '/'].map((path, at) => ({
    id: `s${at}`,
    kind: 'page',
    url: new URL(path, site.url).href,
  }));
  const answer = await fetch(new URL('api/v1/sources/import', hub.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sources }),
  });
  expect(answer.status).toBe(201);
  const jobs = async () => (await fetch(new URL('api/v1/jobs', hub.url))).json();
  const job = { what: 'First reading of what was imported', unit: 'sources', total: 3 };
  const shown = () => expect.arrayContaining([expect.objectContaining({ ...job, done: 2 })]);
  await expect.poll(async () => (await jobs()).running, PATIENCE).toEqual(shown());
  expect(await (await fetch(hub.url)).text()).toContain('value="2" max="3"></progress> 2 of 3 sources');
  site.release();
  await expect
    .poll(async () => (await jobs()).ended, PATIENCE)
    .toEqual(expect.arrayContaining([expect.objectContaining({ ...job, done: 3, outcome: 'done' })]));
});
