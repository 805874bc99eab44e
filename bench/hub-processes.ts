import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Cost } from './harness.ts';

/** Pins a command to one core. Empty if that is not possible; then all processes share the cores. */
export function onCore(core: number): string[] {
  const canPin = cpus().length > 1 && spawnSync('taskset', ['-V']).status === 0;
  return canPin ? ['taskset', '-c', `${core}`] : [];
}

export function isInstalled(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).error === undefined;
}

/**
 * User and system time of a process, over all of its threads: in nanoseconds if the kernel counts them (schedstat), else in hundredths of a second (proc(5):
 * fields 14 and 15 of stat). NaN without proc.
 */
export function cpuSecondsOf(pid: number): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  if (existsSync('/proc/self/schedstat')) return threadSecondsOf(pid, () => true);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The time of the threads with these ids. The first thread of a process has the id of the process. */
function threadSecondsOf(pid: number, isWanted: (thread: string) => boolean): number {
  if (!existsSync('/proc/self/schedstat')) return Number.NaN;
  const threads = readdirSync(`/proc/${pid}/task`).filter(isWanted);
  const files = threads.map((thread) => `/proc/${pid}/task/${thread}/schedstat`);
  // A thread may end meanwhile.
  const onCpuNs = files.map((file) => (existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) : 0));
  return onCpuNs.reduce((total, ns) => total + ns, 0) / 1e9;
}

export function residentMegabytesOf(pid: number): number {
  if (!existsSync('/proc/self/status')) return Number.NaN;
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

const WARM_REQUESTS = 30_000;
const MOST_WARM_TURNS = 20;
/** After the hot code is compiled, helper threads of a server need less than this share of its time. */
const HELPER_SHARE = 0.05;

export interface Server {
  readonly url: string;
  /** The processes whose time counts. */
  readonly pids: readonly number[];
}

export interface Load {
  /** A wrk script. */
  readonly script: string;
  readonly path: string;
  readonly seconds: number;
}

/** Loads a server from the other core with wrk. Returns the cost of one request. */
export async function load({ url, pids }: Server, { script, path, seconds }: Load): Promise<Cost> {
  const cpu = () => pids.reduce((total, pid) => total + cpuSecondsOf(pid), 0);
  const before = cpu();
  const [command = '', ...args] = [
    ...onCore(1),
    ...['wrk', '-t1', '-c64', `-d${seconds}s`, '-s', script, new URL(path, url).href],
  ];
  const { stdout: output } = await promisify(execFile)(command, args);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const count = Number(/(\d+) requests in/.exec(output)?.[1]);
  if (/Non-2xx|Socket errors/.test(output) || !(perSecond > 0))
    throw new Error(`Not what was to be measured: ${output}`);
  return { wallUs: 1e6 / perSecond, cpuUs: ((cpu() - before) * 1e6) / count };
}

/** Runs `bench/<script>` in a separate process until it is disposed. Its first line is its address. */
export async function startBareServer(file: string, headers: string): Promise<Server & AsyncDisposable> {
  const script = join('bench', 'hub-child-bare.mjs');
  const [command = '', ...args] = [...onCore(0), process.execPath, script, file, headers];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(`${text}`.trim())));
  return { url, pids: [child.pid ?? 0], [Symbol.asyncDispose]: () => end(child) };
}

/** nginx with this configuration, in the foreground, with one worker. */
export async function startNginx(config: string, url: string): Promise<Server & AsyncDisposable> {
  const [command = '', ...args] = [...onCore(0), 'nginx', '-c', config];
  const child = spawn(command, args, { stdio: 'ignore' });
  await until(async () => (await fetch(url).catch(() => undefined)) !== undefined);
  const pid = child.pid ?? 0;
  const children = `/proc/${pid}/task/${pid}/children`;
  const workers = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ').map(Number) : [];
  return { url, pids: [pid, ...workers], [Symbol.asyncDispose]: () => end(child) };
}

/** Sends requests until the server's code is compiled and the compiler is idle, or the time for that is over. */
export async function warmUp(server: Server, asked: Load): Promise<void> {
  const helpersTook = () =>
    server.pids.reduce((total, pid) => total + threadSecondsOf(pid, (thread) => thread !== `${pid}`), 0);
  let requests = 0;
  let isCompiling = true;
  for (let turn = 0; turn < MOST_WARM_TURNS && (requests < WARM_REQUESTS || isCompiling); turn++) {
    const before = helpersTook();
    const { wallUs, cpuUs } = await load(server, asked);
    const count = (asked.seconds * 1e6) / wallUs;
    requests += count;
    isCompiling = (helpersTook() - before) * 1e6 > HELPER_SHARE * cpuUs * count;
  }
}

export async function until(condition: () => Promise<boolean>, maxMs = 120_000): Promise<void> {
  const giveUpAt = performance.now() + maxMs;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('What was waited for did not come.');
    await pause(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
