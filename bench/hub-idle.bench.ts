import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Content, type ManySites, startManySites, type VirtualHost } from '../test/support/many-sites.ts';
import { type HubProcess, startHub, writeHubConfig } from '../test/torture/hub-process.ts';
import type { BenchResult } from './harness.ts';
import { cpuSecondsOf, residentMegabytesOf, until } from './hub-processes.ts';

const SOURCES = 10_000;
const MEASURED_MS = 60_000;
/** Time for cleaning up after the first reading. */
const REST_MS = 10_000;
const FIRST_READING_MS = 600_000;

/** What a hub needs that watches 10,000 sources of which none is due, compared with one that watches a single source. */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-idle-'));
  await using web = await startManySites(SOURCES);
  const content = new Content();
  content.put(
    '/',
    '<!doctype html><title>A page</title><main><h1>A page</h1><p>That says the same to everyone.</p></main>',
  );
  for (const host of web.hosts) host.content = content;

  const started = performance.now();
  const many = await startOn(web, SOURCES, join(folder, 'many'));
  const readingSeconds = (performance.now() - started) / 1000;
  const one = await startOn(web, 1, join(folder, 'one'));
  process.stdout.write(`hub-idle: ${SOURCES} sources read for the first time in ${readingSeconds.toFixed(1)} s\n`);
  await pause(REST_MS);
  const before = [many, one].map(({ pid }) => cpuSecondsOf(pid));
  await pause(MEASURED_MS);
  const [ours, peer] = [many, one].map(({ pid }, index) => ({
    cpuSecondsPerMinute: Number((cpuSecondsOf(pid) - (before[index] ?? 0)).toFixed(2)),
    residentMegabytes: residentMegabytesOf(pid),
  }));
  for (const hub of [many, one]) await hub.stop();
  await rm(folder, { recursive: true });
  if (ours === undefined || peer === undefined) throw new Error('There are no figures.');
  return [{ name: 'hub-idle-10000', by: 'figures', ours, peer, peerName: '1 source', goal: 'none', reached: true }];
}

/** Resolves when each of its sources was read. */
async function startOn({ hosts }: ManySites, count: number, folder: string): Promise<HubProcess> {
  const sources = hosts
    .slice(0, count)
    .map(({ url }, index) => ({ id: `page_${index}`, kind: 'page', urls: [url], intervalSeconds: 86_400 }));
  await mkdir(folder);
  writeHubConfig(folder, { cooldownMs: 20, sources });
  const startedAt = performance.now();
  const hub = startHub({ folder });
  const isRead = ({ requests }: VirtualHost) =>
    requests.filter(({ of, endMs }) => of === 'turn' && endMs > startedAt).length > 0;
  await until(async () => hosts.slice(0, count).every(isRead), FIRST_READING_MS);
  return hub;
}
