import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { encodeDiscovery, encodeEvent } from '../src/codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH } from '../src/codecs/aicf/wire.ts';
import { startManySites, type VirtualHost } from '../test/support/many-sites.ts';
import { startHub, writeHubConfig } from '../test/torture/hub-process.ts';
import { type BenchResult, judgeCosts, measureInTurn } from './harness.ts';
import { isInstalled, load, onCore, type Server, startBareServer, startNginx, until } from './hub-processes.ts';

const EVENTS = 1000;
const SECONDS = 5;
const ROUNDS = 3;
const FEED = 'ai-changes.ndjson';
const HEAD = 'diff/head.json';
const GOAL_304 = 0.7;
const NGINX_PORT = 18_463;

/**
 * A feed of 1,000 events and a DiffDelta head from a hub, beside a bare node:http server that answers the same bytes and
 * headers, and beside nginx that serves the feed as a file. The servers share one core, the load comes from the other one.
 */
export async function bench(): Promise<BenchResult[]> {
  if (!isInstalled('wrk', '-v')) {
    process.stdout.write('hub-serve: skipped, wrk is not installed\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-serve-'));
  await using web = await startManySites(1);
  const [host] = web.hosts;
  if (host === undefined) throw new Error('There is no host.');
  publishEvents(host);
  const source = { id: 'feed', kind: 'feed', url: host.url, dialect: 'aicf', intervalSeconds: 86_400 };
  writeHubConfig(folder, { cooldownMs: 20, sources: [source] });
  await using serving = startHub({ folder, prefix: onCore(0) });
  const hub: Server = { url: await serving.url, pids: [serving.pid] };
  try {
    const heads = await benchHead(hub, folder);
    await until(async () => (await (await askFor(FEED, hub)).text()).split('\n').length === EVENTS + 1);
    await using bare = await startTwin(FEED, hub, folder);
    const feed = { path: FEED, name: 'hub', statuses: [304, 200], folder };
    if (!isInstalled('nginx', '-v')) {
      process.stdout.write('hub-serve: nginx is not installed\n');
      return [...heads, ...(await measure({ hub, bare }, feed))];
    }
    await using nginx = await startNginx(writeNginxConfig(folder), `http://127.0.0.1:${NGINX_PORT}/`);
    return [...heads, ...(await measure({ hub, bare, nginx }, feed))];
  } finally {
    await serving.stop();
    await rm(folder, { recursive: true });
  }
}

function publishEvents({ url, content }: VirtualHost): void {
  const lines = Array.from({ length: EVENTS }, (_, index) => {
    const [id, checksum] = [`01K${`${index}`.padStart(8, '0')}`, `sha256:${`${index}`.padStart(64, '0')}`];
    const target = { url: `https://docs.example/chapter/page-${index % 100}`, anchor: `section-${index}` };
    return encodeEvent({ id, action: 'update', ...target, time: '2026-01-01T00:00:00Z', checksum, note: 'text-edit' });
  });
  content.put(AICF_DISCOVERY_PATH, encodeDiscovery({ aicf_version: '0.1', self: new URL(`/${FEED}`, url).href }));
  content.put(`/${FEED}`, lines.join(''));
}

/** What clients of DiffDelta ask for most; each answer also says how its client stands in the minute. */
async function benchHead(hub: Server, folder: string): Promise<BenchResult[]> {
  // A head is rewritten once, when the next check finds nothing new.
  await until(async () => (await (await askFor(HEAD, hub)).text()).includes('"cursor":"sha256:'));
  await using bare = await startTwin(HEAD, hub, folder);
  return await measure({ hub, bare }, { path: HEAD, name: 'hub-diffdelta-head', statuses: [304], folder });
}

function askFor(path: string, { url }: Server): Promise<Response> {
  return fetch(new URL(path, url), { headers: { 'accept-encoding': 'identity' } });
}

/** A bare server that answers the same bytes and headers. */
async function startTwin(path: string, hub: Server, folder: string): Promise<Server & AsyncDisposable> {
  const response = await askFor(path, hub);
  const {
    date: _,
    'content-length': __,
    connection: ___,
    'keep-alive': ____,
    ...headers
  } = Object.fromEntries(response.headers);
  const file = join(folder, basename(path));
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return await startBareServer(file, JSON.stringify(headers));
}

function writeNginxConfig(folder: string): string {
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // Started by root it would read as nobody, who may not.
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  writeFileSync(
    file,
    `${user}daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http { access_log off; ${temporary.join(' ')} types { application/x-ndjson ndjson; } sendfile on; keepalive_requests 100000000;
  open_file_cache max=10; server { listen 127.0.0.1:${NGINX_PORT}; root ${folder}; add_header cache-control no-cache; } }
`,
  );
  return file;
}

interface Measured {
  readonly path: string;
  readonly name: string;
  readonly statuses: readonly number[];
  readonly folder: string;
}

async function measure(servers: Readonly<Record<string, Server>>, what: Measured): Promise<BenchResult[]> {
  const { path, name: of, statuses, folder } = what;
  const results: BenchResult[] = [];
  for (const status of statuses) {
    const sides = await Promise.all(
      Object.entries(servers).map(async ([name, server]) => {
        const script = await writeScript({ name, server, status, path, folder });
        return [name, () => load(server, { script, path, seconds: SECONDS })] as const;
      }),
    );
    const { hub: ours, ...peers } = await measureInTurn(Object.fromEntries(sides), ROUNDS);
    if (ours === undefined) throw new Error('The hub was not measured.');
    for (const [peerName, peer] of Object.entries(peers)) {
      const goal = status === 304 && peerName === 'bare' ? { atLeast: GOAL_304 } : undefined;
      const name = `${of}-${status}-beside-${peerName}`;
      // The core may be shared with others: what a request takes of it is the same then. Not every system tells.
      const by = Number.isFinite(ours.cpuUs) ? 'cpu' : 'wall';
      results.push(judgeCosts({ name, unit: 'request', by, peerName, ...(goal && { goal }) }, { ours, peer }));
    }
  }
  return results;
}

interface Script extends Pick<Measured, 'path' | 'folder'> {
  readonly name: string;
  readonly server: Server;
  readonly status: number;
}

/** One request by hand shows that the load will get the status that is to be measured. */
async function writeScript({ name, server, status, path, folder }: Script): Promise<string> {
  const url = new URL(path, server.url);
  const etag = (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '';
  const headers: Record<string, string> = status === 304 ? { 'if-none-match': etag } : {};
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } });
  await response.arrayBuffer();
  if (response.status !== status) throw new Error(`${name} answers ${response.status}, not ${status}.`);
  const file = join(folder, `${name}-${status}.lua`);
  const lines = Object.entries(headers).map(([header, value]) => `wrk.headers["${header}"] = '${value}'\n`);
  writeFileSync(file, lines.join(''));
  return file;
}
