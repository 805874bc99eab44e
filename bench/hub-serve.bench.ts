import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeDiscovery, encodeEvent } from '../src/codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH } from '../src/codecs/aicf/wire.ts';
import { startManySites, type VirtualHost } from '../test/support/many-sites.ts';
import { startHub, writeHubConfig } from '../test/torture/hub-process.ts';
import { type BenchResult, type Cost, judgeCosts, measureInTurn } from './harness.ts';
import { isInstalled, load, onCore, type Server, startBareServer, startNginx, until, warmUp } from './hub-processes.ts';

/** A feed larger than what a hub keeps in memory, and a smaller one. */
const EVENTS = { big: 8000, small: 1000 };
const SECONDS = 1;
const ROUNDS = 5;
const GOAL = 0.75;
const NGINX_PORT = 18_463;

/** One request, and the expected answer. */
interface Case {
  readonly name: string;
  readonly path: string;
  readonly status: number;
  /** The header of the request: the validator of the first answer, or the last 4 KB. */
  readonly with: 'if-none-match' | 'if-modified-since' | 'range' | 'user-agent';
  readonly goal?: true;
  /** Also compare with nginx, which serves the same bytes as a file. */
  readonly nginx?: true;
}

const CASES: readonly Case[] = [
  { name: 'hub-304', path: 'ai-changes.ndjson', status: 304, with: 'if-none-match', goal: true },
  { name: 'hub-304-date', path: 'ai-changes.ndjson', status: 304, with: 'if-modified-since', goal: true },
  { name: 'hub-source-304', path: 'aicf/small.ndjson', status: 304, with: 'if-none-match', goal: true, nginx: true },
  { name: 'hub-diffdelta-head-304', path: 'diff/head.json', status: 304, with: 'if-none-match', goal: true },
  { name: 'hub-atom-304', path: 'changes.atom', status: 304, with: 'if-none-match', goal: true },
  { name: 'hub-source-atom-304', path: 'atom/small.atom', status: 304, with: 'if-none-match', goal: true },
  { name: 'hub-tail-206', path: 'ai-changes.ndjson', status: 206, with: 'range', goal: true },
  { name: 'hub-diffdelta-head-200', path: 'diff/head.json', status: 200, with: 'user-agent' },
  { name: 'hub-source-200', path: 'aicf/small.ndjson', status: 200, with: 'user-agent', nginx: true },
];

/**
 * The most frequent requests to a hub, compared with a bare node:http server that answers the same bytes and headers, and with nginx if it serves the same
 * file. The servers share one core, the load comes from the other one. Arguments after the name: the seconds of a round, and a prefix of the wanted rows.
 */
export async function bench([seconds = `${SECONDS}`, wanted = '']: readonly string[]): Promise<BenchResult[]> {
  if (!isInstalled('wrk', '-v')) {
    process.stdout.write('hub-serve: skipped, wrk is not installed\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-serve-'));
  await using web = await startManySites(2);
  const sources = Object.entries(EVENTS).map(([id, events], index) => {
    const host = web.hosts[index];
    if (host === undefined) throw new Error('There is no host.');
    publishEvents(host, events);
    return { id, kind: 'feed', url: host.url, dialect: 'aicf', intervalSeconds: 86_400 };
  });
  // All connections come from one client here.
  writeHubConfig(folder, { cooldownMs: 20, sources, connectionsPerClient: 0 });
  await using serving = startHub({ folder, prefix: onCore(0) });
  const hub: Server = { url: await serving.url, pids: [serving.pid] };
  try {
    await untilServed(hub);
    const results: BenchResult[] = [];
    const cases = CASES.filter(({ name }) => name.startsWith(wanted));
    for (const one of cases) results.push(...(await measureCase(one, { hub, folder, seconds: Number(seconds) })));
    return results;
  } finally {
    await serving.stop();
    await rm(folder, { recursive: true });
  }
}

function publishEvents({ url, content }: VirtualHost, events: number): void {
  const lines = Array.from({ length: events }, (_, index) => {
    const [id, checksum] = [`01K${`${index}`.padStart(8, '0')}`, `sha256:${`${index}`.padStart(64, '0')}`];
    const target = { url: `https://docs.example/chapter/page-${index % 100}`, anchor: `section-${index}` };
    return encodeEvent({ id, action: 'update', ...target, time: '2026-01-01T00:00:00Z', checksum, note: 'text-edit' });
  });
  content.put(AICF_DISCOVERY_PATH, encodeDiscovery({ aicf_version: '0.1', self: new URL('/feed.ndjson', url).href }));
  content.put('/feed.ndjson', lines.join(''));
}

/** All events are in all feeds, and a head is rewritten once, when the next check finds nothing new. */
async function untilServed(hub: Server): Promise<void> {
  const figure = (text: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  await until(async () => {
    const text = await (await askFor('metrics', hub)).text();
    const seq = figure(text, 'tidings_log_seq');
    return seq >= EVENTS.big + EVENTS.small && figure(text, 'tidings_feed_seq') === seq;
  });
  await until(async () => (await (await askFor('diff/head.json', hub)).text()).includes('"cursor":"sha256:'));
}

function askFor(path: string, { url }: Server, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(new URL(path, url), { headers: { 'accept-encoding': 'identity', ...headers } });
}

interface Place {
  readonly hub: Server;
  readonly folder: string;
  readonly seconds: number;
}

async function measureCase(one: Case, { hub, folder, seconds }: Place): Promise<BenchResult[]> {
  const { name, path, with: header } = one;
  const asked = await asClientsAsk(one, hub);
  await using bare = await startTwin(asked.answer, { folder, when: [header, asked.value] });
  await using nginx = await startPeer(one, { hub, folder, seconds });
  const servers: readonly (readonly [string, Server | undefined])[] = [
    ['hub', hub],
    ['bare', bare],
    ['nginx', nginx],
  ];
  const sides: [string, () => Promise<Cost>][] = [];
  for (const [side, server] of servers) {
    if (server === undefined) continue;
    const value = side === 'nginx' ? (await asClientsAsk(one, server)).value : asked.value;
    const script = join(folder, `${name}-${side}.lua`);
    writeFileSync(script, `wrk.headers["${header}"] = '${value}'\n`);
    await warmUp(server, { script, path, seconds });
    sides.push([side, () => load(server, { script, path, seconds })]);
  }
  const { hub: ours, ...peers } = await measureInTurn(Object.fromEntries(sides), ROUNDS);
  if (ours === undefined) throw new Error('The hub was not measured.');
  // The core may be shared with others, which does not change the CPU time of a request. Not every system reports it.
  const by = Number.isFinite(ours.cpuUs) ? 'cpu' : 'wall';
  return Object.entries(peers).map(([peerName, peer]) => {
    const goal = one.goal && peerName === 'bare' ? { atLeast: GOAL } : undefined;
    const row = { name: `${name}-beside-${peerName}`, unit: 'request', by, peerName, ...(goal && { goal }) } as const;
    return judgeCosts(row, { ours, peer });
  });
}

/** The header of clients that have read it before. A first request checks that it gets the answer to be measured. */
async function asClientsAsk({ name, path, status, with: header }: Case, server: Server) {
  let value = '';
  let answer = await askFor(path, server);
  const ask = async () => {
    const { headers } = await askFor(path, server);
    const values = {
      'if-none-match': headers.get('etag'),
      'if-modified-since': headers.get('last-modified'),
      range: 'bytes=-4096',
      'user-agent': 'bench',
    };
    value = values[header] ?? '';
    answer = await askFor(path, server, { [header]: value });
    return answer.status === status;
  };
  // A date is valid once its second is over.
  for (let left = 100; !(await ask()); left--) {
    if (left === 0) throw new Error(`${name}: ${answer.status}, not ${status}, for ${header}: ${value}`);
    await pause(100);
  }
  return { value, answer };
}

interface Twin {
  readonly folder: string;
  readonly when: readonly [string, string];
}

/** A bare server that answers the same status, headers and bytes. */
async function startTwin(answer: Response, { folder, when }: Twin): Promise<Server & AsyncDisposable> {
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = Object.fromEntries(answer.headers);
  const file = join(folder, 'body');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return await startBareServer(file, JSON.stringify({ status: answer.status, headers, when }));
}

/** nginx with the same document as a file, if wanted and installed. */
async function startPeer({ nginx, path }: Case, { hub, folder }: Place) {
  if (nginx === undefined) return undefined;
  if (!isInstalled('nginx', '-v')) {
    process.stdout.write('hub-serve: nginx is not installed\n');
    return undefined;
  }
  const [config, file] = [join(folder, 'nginx.conf'), join(folder, 'nginx.ndjson')];
  writeFileSync(file, Buffer.from(await (await askFor(path, hub)).arrayBuffer()));
  writeFileSync(config, nginxConfig(folder, `/${path}`, file));
  return await startNginx(config, `http://127.0.0.1:${NGINX_PORT}/`);
}

function nginxConfig(folder: string, path: string, file: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // Started by root, it would read as nobody, who has no permission.
  const user = process.getuid?.() === 0 ? 'user root; ' : '';
  return `${user}daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http { access_log off; ${temporary.join(' ')} types { application/x-ndjson ndjson; } sendfile on; keepalive_requests 100000000;
  open_file_cache max=10;
  server { listen 127.0.0.1:${NGINX_PORT}; location = ${path} { alias ${file}; add_header cache-control no-cache; } } }
`;
}
