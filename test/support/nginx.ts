import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The program. Undefined if this machine has none. */
export const NGINX = ['nginx', '/usr/sbin/nginx'].find((file) => spawnSync(file, ['-v']).status === 0);

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx with this content of its http block, from its own folder. */
export async function startNginx(prefix: string, http: string): Promise<AsyncDisposable> {
  mkdirSync(join(prefix, 'temporary'), { recursive: true });
  const settings = `
    ${userInfo().uid === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    pid ${prefix}/nginx.pid;
    error_log stderr notice;
    events { worker_connections 256; }
    http {
      access_log off;
      ${TEMPORARY.map((name) => `${name}_temp_path ${prefix}/temporary/${name};`).join('\n')}
      ${http}
    }`;
  writeFileSync(join(prefix, 'nginx.conf'), settings);
  const flags = ['-p', prefix, '-c', join(prefix, 'nginx.conf'), '-e', 'stderr'];
  const child = spawn(NGINX ?? '', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  await hasStarted(child);
  return {
    async [Symbol.asyncDispose]() {
      const exited = child.exitCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function hasStarted(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`nginx did not start:\n${said.join('\n')}`)));
    if (child.stderr === null) throw new Error('nginx has no stderr.');
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      if (line.includes('start worker process ')) resolve();
    });
  });
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
