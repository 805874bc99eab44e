import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { announceEndpoint, newSigningKey } from '../../src/doors/agent-feed.ts';
import { startHub } from '../../src/doors/hub.ts';
import { publish } from '../../src/doors/publish.ts';
import { temporaryFolder } from './site.ts';
import { serveFolder } from './static-server.ts';

/** A limit for commands that hang. */
const LIMIT_MS = 120_000;
const TOKEN = 'tdg_0123456789abcdef0123456789abcdef';

export interface CommandEnd {
  readonly code: number | null;
  readonly said: string;
}

export interface DocsLab extends AsyncDisposable {
  /** Runs a line of a guide in a shell, in a folder with the files that guides mention. `until`: interrupted by Ctrl-C after this output. */
  run(line: string, until?: RegExp): Promise<CommandEnd>;
}

/** A site for every example host, a hub that watches it and may be named by variables, and a working folder of a user. */
export async function openDocsLab(isHubNamed: boolean): Promise<DocsLab> {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const copy of ['site', 'before', 'now', 'served']) cpSync('examples/site', at(copy), { recursive: true });
  cpSync('examples/site/limits.html', at('page.html'));
  const server = await serveFolder(at('served'));
  await publish({ dir: at('served'), site: server.url, force: true });
  await announceApi({ dir: at('served'), site: server.url, key: at('served-key.json'), force: true });
  await publish({ dir: at('site'), site: 'https://docs.example/' });
  const sources = [{ id: 'docs', kind: 'folder' as const, path: at('served'), site: server.url }];
  const hub = await startHub({ port: 0, data: at('hub'), sources, allowPrivate: true }, { token: TOKEN });
  await vi.waitFor(async () => expect(await firstChangeId(hub.url)).toBeDefined(), { timeout: LIMIT_MS, interval: 50 });
  writeFiles(folder.path, server.url);
  const env = {
    ...{ PATH: [at('bin'), process.env.PATH].join(delimiter), HOME: folder.path, TIDINGS_CACHE: at('cache') },
    ...{ TIDINGS_ALLOW_PRIVATE: '1', TIDINGS_COOLDOWN: '0', TIDINGS_TOKEN: TOKEN, SECRET: 'a-secret-of-a-subscriber' },
    ...(isHubNamed && { TIDINGS_HUB: hub.url }),
  };
  return {
    async run(line, until) {
      const named = onLoopback(await withRealIds(line, at('site'), hub.url), server.url, hub.url);
      return await shell(named, { cwd: folder.path, env, until });
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The site also announces an API to agents. */
async function announceApi(target: { dir: string; site: string; key: string; force: boolean }): Promise<void> {
  await newSigningKey(target);
  await announceEndpoint(target, { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' });
}

/** Ids of changes in guides are examples; here they are replaced by those of the folder or hub that a line names. */
async function withRealIds(line: string, site: string, hub: string): Promise<string> {
  const example = /\b01[0-9A-HJKMNP-TV-Z]{24}\b/g;
  if (!example.test(line)) return line;
  if (line.includes('./site')) {
    const [id = ''] = readFileSync(join(site, '.well-known/tidings/log.ndjson'), 'utf8').match(example) ?? [];
    return line.replaceAll(example, id);
  }
  return line.replaceAll(example, (await firstChangeId(hub)) ?? '');
}

async function firstChangeId(hub: string): Promise<string | undefined> {
  const answer = await fetch(`${hub}api/v1/changes?limit=1`);
  const { changes } = (await answer.json()) as { changes: readonly { id: string }[] };
  return changes[0]?.id;
}

/** Replaces example hosts with the servers of the lab. The addresses in `--site` and `--endpoint` are not requested. */
function onLoopback(line: string, site: string, hub: string): string {
  return (
    line
      .replaceAll('docs.example/limits', 'docs.example/limits.html')
      // The copy of another site, whose feeds do not continue those above.
      .replace(/publish http:\/\/127\.0\.0\.1:8080\/(.*) --out .\/feeds/, `publish ${site}$1 --out ./copied-feeds`)
      .replaceAll(
        /(?<!--(?:site|endpoint) )https:\/\/(?:docs|api|blog)\.example(?:\/|(?=[\s'"]|$))|https:\/\/example\.com\//g,
        site,
      )
      .replaceAll(/https:\/\/hub\.example\/|http:\/\/127\.0\.0\.1:8080\//g, hub)
      .replaceAll(/\.\/tidings-data|\.\/data\b/g, './hub')
      .replaceAll(/\/var\/www\/|\/backups\//g, './')
      .replace('bytes=51234-', 'bytes=100-')
  );
}

function writeFiles(folder: string, site: string): void {
  mkdirSync(join(folder, 'bin'));
  const program = `exec "${process.execPath}" "${resolve('dist/cli/main.js')}" "$@"`;
  const files = {
    'bin/tidings': `#!/bin/sh\n${program}\n`,
    // `npx tidings …` finds the program like for a user who installed the package.
    'bin/npx': '#!/bin/sh\nexec "$@"\n',
    // An answer other than 200 is a failure.
    'bin/curl': '#!/bin/sh\nexec /usr/bin/curl --silent --show-error --fail-with-body "$@"\n',
    'delta.json': '{ "rename": { "/amount": "/total" } }',
    'response.json': '{ "amount": 1 }',
    'index.sh': '#!/bin/sh\ncat > /dev/null\n',
    'subscriptions.opml': `<opml version="2.0"><body><outline xmlUrl="${site}changes.atom"/></body></opml>`,
    'tidings.config.json': JSON.stringify({
      ...{ port: 0, data: 'own-hub', baseUrl: 'https://hub.example/' },
      sources: [{ id: 'docs', kind: 'folder', path: './site', site: 'https://docs.example/' }],
    }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const name of ['bin/tidings', 'bin/npx', 'bin/curl', 'index.sh']) chmodSync(join(folder, name), 0o755);
}

interface Shell {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly until?: RegExp | undefined;
}

function shell(line: string, { cwd, env, until }: Shell): Promise<CommandEnd> {
  return new Promise((settle, reject) => {
    // A separate process group: Ctrl-C in a terminal reaches all processes of a line.
    const child = spawn('/bin/sh', ['-c', until === undefined ? line : `exec ${line}`], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (signal: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, signal);
    let said = '';
    let isEnded = false;
    const limit = setTimeout(() => {
      end('SIGKILL');
      reject(new Error(`${line} did not end.\n${said}`));
    }, LIMIT_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (isEnded || !until?.test(said)) return;
        isEnded = true;
        end('SIGINT');
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      settle({ code, said });
    });
  });
}
