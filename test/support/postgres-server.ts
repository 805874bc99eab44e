import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { listenOnFreshPort } from './fresh-port.ts';

export interface PostgresServer extends AsyncDisposable {
  /** With a user that has all rights, and its password. */
  readonly url: string;
  readonly password: string;
  /** The pid of its main process, which starts one for each connection. */
  readonly pid: number;
  /** Stops it at once, like a crash, and starts it again at the same place after `meanwhile`. */
  crash(meanwhile?: () => Promise<void>): Promise<void>;
  /** The first half of a crash: it is stopped until it is started. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** PostgreSQL does not run as root. */
const NOBODY = 65_534;
const RUNS_AS = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The folder of a PostgreSQL on this machine: `TIDINGS_POSTGRES_BIN`, else the newest of Debian, else one on the path. */
export function findPostgres(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [process.env.TIDINGS_POSTGRES_BIN, ...debian.map((version) => join(versions, version, 'bin'))];
  const onPath = (process.env.PATH ?? '').split(':');
  return [...folders, ...onPath].find(
    (folder) => folder && ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

export interface PostgresServerOptions {
  /** As for `postgres -c`. They override our own. */
  readonly settings?: readonly string[];
  /** A network whose hosts may connect too: `10.77.0.0/16`. Then it listens on all addresses. */
  readonly peers?: string | undefined;
}

/** A separate server on loopback, with a new folder and a new password. Its data does not survive a crash of the machine unless `fsync` is on. */
export async function startPostgres(
  bin: string,
  { settings: more = [], peers }: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-postgres-'));
  const password = `test-${randomBytes(12).toString('hex')}`;
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (RUNS_AS.uid !== undefined) for (const path of [folder, passwordFile]) await chown(path, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const login = ['-U', 'tidings', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...login, '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...RUNS_AS,
    cwd: folder,
  });
  if (peers !== undefined) await appendFile(join(data, 'pg_hba.conf'), `host all all ${peers} scram-sha-256\n`);
  const port = await freshPort();
  const settings = [
    'fsync=off',
    `listen_addresses=${peers === undefined ? '127.0.0.1' : '0.0.0.0'}`,
    'unix_socket_directories=',
    'shared_buffers=16MB',
    ...more,
  ];
  const words = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const start = async () => {
    const child = spawn(join(bin, 'postgres'), words, { ...RUNS_AS, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await untilReady(child);
    return child;
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals) => {
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    url: `postgres://tidings:${password}@127.0.0.1:${port}/postgres`,
    password,
    get pid() {
      return server.pid ?? 0;
    },
    async crash(meanwhile) {
      await end('SIGQUIT');
      await meanwhile?.();
      server = await start();
    },
    async stop() {
      await end('SIGQUIT');
    },
    async start() {
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null && server.signalCode === null) await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freshPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreshPort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error('The server has no voice.');
  const said: string[] = [];
  const lines = createInterface({ input: server.stderr });
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said.join('\n')}`)));
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('database system is ready')) resolve();
    });
  });
  server.removeAllListeners('exit');
}
