import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from './harness.ts';

export interface HubPlace {
  /** Where its config and its data stand. */
  readonly folder: string;
  /** Put before it, such as `taskset -c 0`. */
  readonly prefix?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `tidings serve` in a process of its own, on the built code. To dispose of it is to kill it. */
export interface HubProcess extends AsyncDisposable {
  readonly pid: number;
  /** With a final slash; rejects when it ends before it listens. */
  readonly url: Promise<string>;
  /** Its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** The last lines of its stderr. */
  readonly lastLines: readonly string[];
  /** Asks it to stop; says how it ended and how long that took. */
  stop(): Promise<{ readonly ended: number | string; readonly ms: number }>;
  kill(): void;
}

export interface HubSettings {
  readonly cooldownMs: number;
  readonly sources: readonly object[];
  readonly concurrency?: number;
  readonly limits?: object;
  readonly connectionsPerClient?: number;
  readonly baseUrl?: string;
  readonly websubHub?: object;
  readonly webhooks?: object;
}

const KEPT_LINES = 30;
/** A hub that does not stop by itself is ended. */
const PATIENCE_MS = 60_000;
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\//;
/** Of the admin of every hub that is started here. */
export const HUB_TOKEN = 'torture-token-0123456789-0123456789';

export function writeHubConfig(folder: string, settings: HubSettings): void {
  const config = {
    host: '127.0.0.1',
    port: 0,
    data: join(folder, 'data'),
    allowPrivate: true,
    limits: { perMinute: 10_000_000 },
    ...settings,
  };
  writeFileSync(join(folder, 'tidings.config.json'), JSON.stringify(config));
}

/** Starts it on the config that was written into the folder. */
export function startHub({ folder, prefix = [], env = {} }: HubPlace): HubProcess {
  const main = process.env.TIDINGS_TORTURE_MAIN ?? join(projectRoot(), 'dist', 'cli', 'main.js');
  if (!existsSync(main)) throw new Error('The hub runs on dist/: run "npm run build" first.');
  const config = join(folder, 'tidings.config.json');
  const serve = [main, 'serve', '--config', config, '--port', '0', '--data', join(folder, 'data')];
  const [command = '', ...args] = [...prefix, process.execPath, ...serve];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, TIDINGS_TOKEN: HUB_TOKEN, TIDINGS_CACHE: join(folder, 'cache'), ...env },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${command}.`);

  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > KEPT_LINES) lastLines.shift();
  });
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')),
  );
  const url = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = ADDRESS.exec(line)?.[0];
      if (address !== undefined) resolve(address);
    });
    void ended.then((how) =>
      reject(new Error(`The hub ended with ${how} before it listened: ${lastLines.join('\n')}`)),
    );
  });
  // A torture that fails leaves nobody behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  // Who kills a hub that has not begun to listen does not ask for its address.
  url.catch(() => {});
  return {
    pid,
    url,
    ended,
    lastLines,
    kill,
    async stop() {
      const since = performance.now();
      child.kill('SIGTERM');
      const timer = setTimeout(kill, PATIENCE_MS);
      const how = await ended;
      clearTimeout(timer);
      return { ended: how, ms: performance.now() - since };
    },
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
}
