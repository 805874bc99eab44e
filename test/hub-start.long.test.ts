import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { SettingRefusedError } from '../src/errors/setting-refused-error.ts';
import { clause } from './clause.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-hub-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A site of one page, whose text the test can change or take away. */
async function onePage(text: string) {
  const site = { text: text as string | undefined };
  const server = createServer(({ url }, response) => {
    const isPage = url === '/' && site.text !== undefined;
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' });
    response.end(isPage ? `<title>P</title><h1>Prices</h1><p>${site.text}</p>` : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { site, url, port: (server.address() as AddressInfo).port };
}

async function started(settings: object, folder: string): Promise<RunningHub> {
  const hub = await startHub({ port: 0, ...settings }, { base: folder });
  onTestFinished(() => hub.close());
  return hub;
}

test('a start that cannot listen keeps no token: the next one shows it', async () => {
  const folder = await newFolder();
  const { port } = await onePage('taken');
  await expect(startHub({ port }, { base: folder })).rejects.toThrow(expect.objectContaining({ name: 'ListenError' }));
  const hub = await started({}, folder);
  expect(hub.newToken).toMatch(/^tdg_\w{32,}$/);
  await hub.close();
  const again = await started({}, folder);
  expect(again.newToken).toBeUndefined();
});

test('a token that is easily guessed is refused before anything is made', async () => {
  const folder = await newFolder();
  await expect(startHub({ port: 0 }, { base: folder, token: 'short' })).rejects.toThrow(SettingRefusedError);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('a hub on loopback answers to its own names only: a web page that is led here by its name reads nothing', async () => {
  const hub = await started({ baseUrl: 'https://hub.example/' }, await newFolder());
  const statusFor = async (host: string) => {
    const request = get(new URL('healthz', hub.url), { headers: { host } });
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode;
  };
  expect(await statusFor('evil.example')).toBe(421);
  for (const host of ['localhost', '127.0.0.1:1', 'hub.example'])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
});

test('a document is never older than the log of the same hub', async () => {
  const { site, url } = await onePage('It costs 19.');
  const source = { id: 'p', kind: 'page', url, intervalSeconds: 1 };
  const hub = await started({ sources: [source], allowPrivate: true, cooldownMs: 0 }, await newFolder());
  const document = async () => {
    const answer = await fetch(new URL(`doc?url=${encodeURIComponent(url)}`, hub.url));
    return answer.ok ? JSON.stringify(await answer.json()) : String(answer.status);
  };
  const changesAre = (count: number) =>
    vi.waitFor(
      async () => {
        const { changes } = (await (await fetch(new URL('api/v1/changes', hub.url))).json()) as { changes: unknown[] };
        expect(changes).toHaveLength(count);
      },
      { timeout: 60_000, interval: 50 },
    );
  await changesAre(1);
  expect(await document()).toContain('It costs 19.');
  site.text = 'It costs 21.';
  await changesAre(2);
  expect(await document()).toContain('It costs 21.');
  site.text = undefined;
  await changesAre(3);
  expect(await document()).toBe('404');
}, 40_000);

clause(['AICF-X1', 'AICF-X4', 'AICF-X6'], 'a hub adds the hints that are on, and announces them', async () => {
  const { url } = await onePage('It costs 19.');
  const extensions = { chunkHints: true, billingHints: { plan: 'free', unit: 'bytes' } };
  const sources = [{ id: 'p', kind: 'page', url, intervalSeconds: 1 }];
  const hub = await started({ sources, extensions, allowPrivate: true, cooldownMs: 0 }, await newFolder());
  const textOf = async (path: string) => (await fetch(new URL(path, hub.url))).text();
  const line = await vi.waitFor(
    async () => {
      const text = await textOf('aicf/p.ndjson');
      expect(text).not.toBe('');
      return text;
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(JSON.parse(line)).toMatchObject({ chunk_id: expect.any(String), plan: 'free', unit: 'bytes' });
  expect(JSON.parse(line).size).toBeGreaterThan(0);
  expect(JSON.parse(await textOf('.well-known/ai-changefeed')).capabilities).toEqual(['chunk-hints', 'billing-hints']);
});
