import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHubConfig } from '../test/torture/hub-process.ts';
import { measuredBuild } from './hub-cost-build.ts';

/** A hub with a monitor of its event loop. */
export interface MonitoredHub {
  readonly pid: number;
  /** Resolves when it listens. */
  readonly url: Promise<string>;
  /** Asks it to stop. Resolves to how long that took, in milliseconds. */
  stop(): Promise<number>;
  /** The total number of bytes written to disk (proc(5): io). */
  written(): number;
  /** The longest block of its event loop in milliseconds: by its own work, and by loading modules. */
  blocks(): { readonly wallMs: number; readonly cpuMs: number; readonly loadMs: number };
}

/** The token of its admin. */
export const BENCH_TOKEN = 'bench-token-0123456789-0123456789';
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\//;
const PATIENCE_MS = 120_000;
/** How much of its output is kept, to see why it ended. */
const KEPT_CHARACTERS = 2000;

/** On the data in the folder, with these sources in addition to the stored ones. */
export function startMonitoredHub(folder: string, sources: readonly object[] = []): MonitoredHub {
  writeHubConfig(folder, { cooldownMs: 20, sources });
  const file = join(folder, 'blocks.json');
  const config = join(folder, 'tidings.config.json');
  const serve = [join(measuredBuild(), 'cli', 'main.js'), 'serve', '--config', config, '--data', join(folder, 'data')];
  const monitor = ['--import', `./${join('bench', 'hub-cost-monitor.mjs')}`];
  const child = spawn(process.execPath, [...monitor, ...serve, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      TIDINGS_TOKEN: BENCH_TOKEN,
      TIDINGS_BENCH_BLOCKS: file,
      TIDINGS_BENCH_DATABASE: join(folder, 'data', 'tidings.db'),
    },
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-KEPT_CHARACTERS);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const address = ADDRESS.exec(`${text}`)?.[0];
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error(`The hub ended before it listened: ${said}`)));
  });
  url.catch(() => {});
  const pid = child.pid ?? 0;
  return {
    pid,
    url,
    async stop() {
      const since = performance.now();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await ended;
      clearTimeout(timer);
      return Math.round(performance.now() - since);
    },
    written: () => Number(/^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]),
    blocks: () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { wallMs: 0, cpuMs: 0, loadMs: 0 }),
  };
}
