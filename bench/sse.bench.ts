import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
// The child processes run its compiled modules.
import '../test/support/events-lab.ts';
import type { BenchResult } from './harness.ts';
import { isInstalled, onCore } from './hub-processes.ts';

const CONNECTIONS = 10_000;
const EVENTS = 100;
const CLIENTS = 4;
const SPARE_FILES = 300;
const GOAL_RATIO = 1.2;
const GOAL_KILOBYTES = 15;

/**
 * Events to many connections, compared with a bare node:http server that writes each event to each response. Servers share one core, readers the other one.
 * Arguments after the name: the number of connections, and of events.
 */
export async function bench([connections = `${CONNECTIONS}`, events = `${EVENTS}`]: readonly string[]): Promise<
  BenchResult[]
> {
  const count = Math.min(Number(connections), (await mostFiles()) - SPARE_FILES);
  if (count < Number(connections)) {
    process.stdout.write(`sse: ${count} connections instead of ${connections}, more files may not be open\n`);
  }
  const load = { connections: count, events: Number(events) };
  const peer = await measure('bare', load);
  const ours = await measure('ours', load);
  const wall = ratioOf(ours.wallMs, peer.wallMs);
  const cpu = ratioOf(ours.cpuMs, peer.cpuMs);
  const isComplete = ours.delivered === count * load.events && ours.outOfOrder === 0;
  return [
    {
      name: 'sse',
      by: 'figures',
      ours: { ...ours, wallRatio: wall, cpuRatio: cpu },
      peer: { ...peer },
      peerName: 'node:http',
      goal: `all delivered in order, ≤ ${GOAL_RATIO}× the time, ≤ ${GOAL_KILOBYTES} KB a connection`,
      reached: isComplete && wall <= GOAL_RATIO && cpu <= GOAL_RATIO && ours.kilobytesEach <= GOAL_KILOBYTES,
    },
  ];
}

interface Load {
  readonly connections: number;
  readonly events: number;
}

interface Figures {
  readonly connections: number;
  readonly delivered: number;
  readonly outOfOrder: number;
  /** From the first event to the last delivery. Each event is sent when the one before is written to all. */
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly kilobytesEach: number;
  /** The same for events that are appended as fast as the log accepts them: events that arrive together are one write. */
  readonly burstWallMs?: number;
  readonly burstCpuMs?: number;
}

interface Seen {
  readonly seen: number;
  readonly wrong: number;
  readonly lastAt: number;
  /** Deliveries by delay, in tenths of a millisecond. */
  readonly late: readonly (readonly [number, number])[];
}

async function measure(side: 'ours' | 'bare', { connections, events }: Load): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-sse-'));
  const server = startChild('sse-server-child.mjs', [side, folder], { core: 0, files: connections + SPARE_FILES });
  const clients: Child[] = [];
  try {
    const { port } = await server.json<{ port: number }>();
    const before = (await server.ask<{ rss: number }>('rss')).rss;
    for (let at = 0; at < CLIENTS; at += 1) {
      const share = Math.floor(connections / CLIENTS) + (at < connections % CLIENTS ? 1 : 0);
      const args = [`${port}`, `${share}`, `127.0.0.${at + 2}`, '/events'];
      clients.push(startChild('sse-clients-child.mjs', args, { core: 1, files: share + SPARE_FILES }));
    }
    for (const client of clients) await client.line();
    const { rss } = await server.ask<{ rss: number }>('rss');
    await run('tell', { connections, events: Math.ceil(events / 10) }, { server, clients });
    const told = await run('tell', { connections, events }, { server, clients });
    const kilobytesEach = Math.round(((rss - before) / connections / 1024) * 10) / 10;
    if (side === 'bare') return { connections, ...told, kilobytesEach };
    const burst = await run('burst', { connections, events }, { server, clients });
    const outOfOrder = told.outOfOrder + burst.outOfOrder;
    return { connections, ...told, outOfOrder, kilobytesEach, burstWallMs: burst.wallMs, burstCpuMs: burst.cpuMs };
  } finally {
    for (const client of clients) await client.end();
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  word: 'tell' | 'burst',
  { connections, events }: Load,
  { server, clients }: { readonly server: Child; readonly clients: readonly Child[] },
) {
  const reading = Promise.all(clients.map((client) => client.ask<Seen>(`run ${events}`)));
  const { startedAt, cpuMs } = await server.ask<{ startedAt: number; cpuMs: number }>(
    `${word} ${events} ${connections}`,
  );
  const seen = await reading;
  const late = seen.flatMap((one) => one.late).toSorted(([a], [b]) => a - b);
  const delivered = sum(seen.map((one) => one.seen));
  return {
    delivered,
    outOfOrder: sum(seen.map(({ wrong }) => wrong)),
    wallMs: Math.round((Math.max(...seen.map(({ lastAt }) => lastAt)) - startedAt) / 1e6),
    cpuMs: Math.round(cpuMs),
    p50Ms: percentile(late, delivered * 0.5),
    p99Ms: percentile(late, delivered * 0.99),
  };
}

interface Child {
  line(): Promise<string>;
  json<T>(): Promise<T>;
  ask<T>(words: string): Promise<T>;
  end(): Promise<void>;
}

/** Limits are raised if allowed; otherwise the caller checks them. */
function startChild(script: string, args: readonly string[], { core, files }: { core: number; files: number }): Child {
  const raised = isInstalled('prlimit', '--version') ? ['prlimit', `--nofile=${files}:`] : [];
  const node = [process.execPath, '--expose-gc', join('bench', script)];
  const [command = '', ...rest] = [...raised, ...onCore(core), ...node, ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${script} has ended.`);
    return value as string;
  };
  const json = async <T>() => JSON.parse(await line()) as T;
  return {
    line,
    json,
    ask(words) {
      child.stdin.write(`${words}\n`);
      return json();
    },
    end: () => endOf(child),
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end('end\n');
  await ended;
}

/** The maximum number of open files of a process of this user. */
async function mostFiles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, most] = /^Max open files\s+\S+\s+(\d+)/m.exec(limits) ?? [];
  return most === undefined ? Number.POSITIVE_INFINITY : Number(most);
}

function percentile(late: Seen['late'], rank: number): number {
  let passed = 0;
  for (const [tenths, count] of late) {
    passed += count;
    if (passed >= rank) return tenths / 10;
  }
  return 0;
}

function ratioOf(ours: number, peer: number): number {
  return Math.round((ours / peer) * 100) / 100;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
