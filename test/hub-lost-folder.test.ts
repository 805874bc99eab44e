import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { lossReporter } from '../src/doors/hub-reporters.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { feedsOf, publishFolder, seedChanges, serveFolder } from './support/seeded-hub.ts';
import { temporaryFolder } from './support/site.ts';

const DRAFT = { source: 'docs', action: 'update', url: 'https://docs.example/' } as const;

async function healthOf(hub: string) {
  const answer = await fetch(`${hub}healthz`);
  return { status: answer.status, body: (await answer.json()) as { ok: boolean; writable: boolean; reason?: string } };
}

test('a hub whose folder is replaced says so, writes nothing there, and removes nothing of it when it ends', async () => {
  using folder = temporaryFolder();
  const [data, aside, other] = ['data', 'aside', 'other'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await seedChanges(data, 2);
  await seedChanges(other, 5);
  await publishFolder(other);
  writeFileSync(join(other, '.lock'), '');
  const hub = await serveFolder(data);
  expect(await healthOf(hub.url)).toMatchObject({ status: 200, body: { ok: true, writable: true } });
  renameSync(data, aside);
  renameSync(other, data);
  const before = readdirSync(data);
  const [feeds, marks] = [feedsOf(data), readFileSync(join(data, 'feeds', 'marks'))];
  expect(await healthOf(hub.url)).toMatchObject({ status: 503, body: { ok: false, writable: false } });
  const report = (await (await fetch(`${hub.url}state/health.json`)).json()) as { writable: boolean };
  expect(report.writable).toBe(false);
  await hub.close();
  expect(readdirSync(data)).toEqual(before);
  expect([feedsOf(data), readFileSync(join(data, 'feeds', 'marks'))]).toEqual([feeds, marks]);
});

test('a hub looks at its folder every few seconds, whether anybody asks or not, and its log says why it stopped writing', async () => {
  // What a hub repeats comes when the test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (_: object, message: string) => void errors.push(message) };
  await using _hub = await startHub({ port: 0, data }, { token: 'tdg_0123456789abcdef', logger });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(errors).toEqual([]);
  renameSync(data, join(folder.path, 'aside'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(errors).toContainEqual(expect.stringContaining('deleted or replaced'));
});

test('nothing is committed to a folder that was deleted, and none is made in its place', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  await seedChanges(data, 1);
  const store = await openSqliteHubStore({ folder: data });
  rmSync(data, { recursive: true });
  const refusal = { name: 'LogUnavailableError', message: expect.stringContaining('was deleted or moved') };
  await expect(store.commit({ source: 'docs', drafts: [DRAFT] })).rejects.toMatchObject(refusal);
  await store[Symbol.asyncDispose]();
  expect(existsSync(data)).toBe(false);
});

test('a folder that is moved back is written again, and both turns are said once', async () => {
  using folder = temporaryFolder();
  const [data, aside] = [join(folder.path, 'data'), join(folder.path, 'aside')];
  await using store = await openSqliteHubStore({ folder: data });
  const said: string[] = [];
  const report = lossReporter(() => store.lost, {
    error: (_, message) => void said.push(message),
    info: (_, message) => void said.push(message),
  });
  report();
  renameSync(data, aside);
  mkdirSync(data);
  for (let look = 0; look < 3; look += 1) report();
  await expect(store.commit({ source: 'docs', drafts: [DRAFT] })).rejects.toThrow('is another one');
  rmSync(data, { recursive: true });
  renameSync(aside, data);
  report();
  expect(await store.commit({ source: 'docs', drafts: [DRAFT] })).toMatchObject([{ seq: 1 }]);
  expect(said).toEqual([expect.stringContaining('was deleted or replaced'), expect.stringContaining('is back')]);
});
