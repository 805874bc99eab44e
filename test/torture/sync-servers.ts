import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from './harness.ts';
import { HUB_TOKEN, type HubProcess, startHub, writeHubConfig } from './hub-process.ts';
import type { SyncSite } from './sync-sites.ts';

/** What a sync cannot do without, in a process of its own: it is killed, and stands up again with what it had written. */
export interface KilledServer extends AsyncDisposable {
  readonly url: string;
  /** With SIGKILL. */
  kill(): void;
  /** Where it was killed, it is started again; resolves when it answers. */
  revive(): Promise<void>;
}

/** PostgreSQL with pgvector, on the same port over all its lives. */
export async function startSinkServer(folder: string): Promise<KilledServer> {
  let port = '0';
  let child: Child;
  let url = '';
  let isDead = true;
  const start = async () => {
    child = startChild('pglite-child.mjs', [folder, port]);
    process.once('exit', child.kill);
    url = (await firstLine(child)).slice('at '.length);
    port = new URL(url).port;
    isDead = false;
  };
  const kill = () => {
    isDead = true;
    child.kill();
  };
  await start();
  return {
    get url() {
      return url;
    },
    kill,
    async revive() {
      if (!isDead) return;
      await child.ended;
      process.off('exit', child.kill);
      await start();
    },
    async [Symbol.asyncDispose]() {
      kill();
      await child.ended;
      process.off('exit', child.kill);
    },
  };
}

async function firstLine(child: Child): Promise<string> {
  const ended = child.ended.then((how) => {
    throw new Error(`The database ended with ${how} before it answered.`);
  });
  ended.catch(() => {});
  for (;;) {
    const [line] = child.lines;
    if (line !== undefined) return line;
    await Promise.race([ended, pause(20)]);
  }
}

/** `tidings serve` that watches sites. */
export interface WatchingHub extends KilledServer {
  readonly token: string;
  /** Looks at all sites, and resolves when it has; rejects when it is killed meanwhile. */
  look(): Promise<void>;
}

const PATIENCE_MS = 60_000;

interface SourceMoment {
  readonly id: string;
  readonly health: { readonly last_check_at?: string };
}

export async function startWatchingHub(
  folder: string,
  { sites, ca }: { readonly sites: readonly SyncSite[]; readonly ca: string },
): Promise<WatchingHub> {
  mkdirSync(folder, { recursive: true });
  const sources = sites.map(({ name, url }) => ({
    id: name.replaceAll('-', '_'),
    kind: 'auto',
    tellsOf: 'pages',
    url,
    intervalSeconds: 3600,
  }));
  writeHubConfig(folder, { cooldownMs: 0, sources });
  const start = () => startHub({ folder, env: { NODE_EXTRA_CA_CERTS: ca } });
  let hub: HubProcess = start();
  let url = await hub.url;
  let isDead = false;
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(`${url}api/v1/sources${path}`, {
      method,
      headers: { authorization: `Bearer ${HUB_TOKEN}` },
    });
    if (!answer.ok) throw new Error(`The hub answered ${method} ${path} with ${answer.status}.`);
    return (await answer.json()) as unknown;
  };
  const moments = async () => {
    const { sources: all } = (await ask('')) as { sources: readonly SourceMoment[] };
    return new Map(all.map(({ id, health }) => [id, health.last_check_at]));
  };
  const kill = () => {
    isDead = true;
    hub.kill();
  };
  return {
    get url() {
      return url;
    },
    token: HUB_TOKEN,
    kill,
    async revive() {
      if (!isDead) return;
      await hub.ended;
      hub = start();
      url = await hub.url;
      isDead = false;
    },
    async look() {
      const before = await moments();
      // Moments are told to the second.
      await pause(1000);
      for (const { id } of sources) await ask(`/${id}/check`, 'POST');
      for (const since = Date.now(); Date.now() - since < PATIENCE_MS; await pause(100)) {
        const now = await moments();
        if (sources.every(({ id }) => now.get(id) !== undefined && now.get(id) !== before.get(id))) return;
      }
      throw new Error('The hub did not look at its sources.');
    },
    async [Symbol.asyncDispose]() {
      kill();
      await hub.ended;
    },
  };
}
