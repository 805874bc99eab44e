import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TortureReport } from './harness.ts';
import { HUB_TOKEN, type HubProcess, startHub, writeHubConfig } from './hub-process.ts';
import { Random } from './hub-random.ts';
import { startWebSubReaders, type WebSubReaders } from './websub-readers.ts';

export interface WebSubTorture {
  /** Each ends with kill -9 of the hub. */
  readonly rounds: number;
  readonly subscribers: number;
  /** Behind the last kill, each of which is waited for and measured. */
  readonly edits: number;
  readonly seed: number;
}

export interface WebSubReport extends TortureReport {
  /** From the first subscriber that got the newest state to the last one that does not fail, over all edits. */
  readonly spreadMs: readonly number[];
}

const BASE = 'http://hub.example/';
const TOPICS = ['changes.atom', 'ai-changes.ndjson', 'atom/docs.atom', 'aicf/docs.ndjson'];
const PATIENCE_MS = 60_000;
const LIFE_MS = 2000;

/**
 * Subscribers, a fifth of which fail in different ways, of a hub that is killed again and again while its site is edited. In the end each that does not
 * fail must have the newest state of its topic, as it is served; none has had two deliveries at a time, an older state behind a newer one, or a wrong signature.
 */
export async function tortureWebSub({ rounds, subscribers, edits, seed }: WebSubTorture): Promise<WebSubReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'tidings-websub-'));
  const site = new MarkedSite(join(folder, 'site'));
  const sources = [
    { id: 'docs', kind: 'folder', path: site.folder, site: 'https://docs.example/', intervalSeconds: 1 },
  ];
  const websubHub = { requestsPerMinute: 100_000 };
  writeHubConfig(folder, { cooldownMs: 0, sources, baseUrl: BASE, websubHub });
  const readers = await startWebSubReaders(subscribers);
  let hub: HubProcess = startHub({ folder });
  const spreadMs: number[] = [];
  let hits = 0;
  try {
    await subscribeAll(readers, await hub.url);
    for (let round = 0; round < rounds; round += 1) {
      const mark = site.edit();
      await sleep(random.integer(0, LIFE_MS));
      if (!readers.haveAll(mark)) hits += 1;
      hub.kill();
      await hub.ended;
      hub = startHub({ folder });
      await hub.url;
    }
    for (let times = 0; times < edits; times += 1) {
      const mark = site.edit();
      await until(() => readers.haveAll(mark), `everybody has ${mark}`);
      spreadMs.push(readers.spreadOf(mark));
    }
    const wrong = { ...readers.judge(), ...(await compareServed(readers, await hub.url)) };
    return { name: `websub (${seed})`, rounds, hits, wrong, spreadMs };
  } finally {
    hub.kill();
    await hub.ended;
    await readers[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function describeSpread({ spreadMs }: WebSubReport): string {
  return `from the first to the last subscriber that does not fail: ${spreadMs.map((ms) => `${Math.round(ms)} ms`).join(', ')}`;
}

async function subscribeAll(readers: WebSubReaders, url: string): Promise<void> {
  for (const [at, { callback, secret }] of readers.all.entries()) {
    const topic = BASE + TOPICS[at % TOPICS.length];
    const body = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': topic,
      'hub.callback': callback,
      'hub.secret': secret,
    });
    const answer = await fetch(new URL('hub', url), { method: 'POST', body });
    if (answer.status !== 202) throw new Error(`The hub answered ${answer.status}: ${await answer.text()}`);
  }
  const headers = { authorization: `Bearer ${HUB_TOKEN}` };
  await until(async () => {
    const answer = await fetch(new URL('api/v1/websub', url), { headers });
    const { subscriptions } = (await answer.json()) as {
      readonly subscriptions: readonly { readonly status: string }[];
    };
    return subscriptions.filter(({ status }) => status === 'active').length === readers.all.length;
  }, 'all subscriptions are active');
}

/** What each has at last is what is served. */
async function compareServed(readers: WebSubReaders, url: string): Promise<Record<string, number>> {
  const served = await Promise.all(TOPICS.map(async (topic) => (await fetch(new URL(topic, url))).text()));
  const stale = readers.all.filter(({ fails, last }, at) => !fails && last?.toString() !== served[at % TOPICS.length]);
  return { 'subscribers without the newest state': stale.length };
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It does not come: ${what}.`);
    await sleep(20);
  }
}

/** A built site in which each edit makes a page that names it. */
class MarkedSite {
  readonly folder: string;
  #edits = 0;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.edit();
  }

  edit(): string {
    this.#edits += 1;
    const mark = `edit-${this.#edits}-end`;
    const file = join(this.folder, `${mark}.html`);
    writeFileSync(`${file}.next`, `<title>${mark}</title><h1>${mark}</h1><p>Words of ${mark}.</p>`);
    renameSync(`${file}.next`, file);
    return mark;
  }
}
