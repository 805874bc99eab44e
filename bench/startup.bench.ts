import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, type Cost, judgeCosts, measureInTurn } from './harness.ts';

const ROUNDS = 9;
const PAGES = 5;
const MAIN = join('dist', 'cli', 'main.js');

/**
 * What a verb costs before and beside its work: processes of the command line beside an empty Node, all in turn. A publish of
 * five pages is mostly start-up: it cost 34 times an empty Node when every verb loaded everything, and the first one 33 times.
 * The goal is half of that. Variables are not handed on: NODE_EXTRA_CA_CERTS alone makes an empty Node three times as dear.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-startup-'));
  const [bare, fresh, known] = ['bare', 'fresh', 'known'].map((name) => join(folder, name)) as [string, string, string];
  writeSite(bare);
  writeSite(known);
  const publish = (dir: string, says: string) =>
    runNode([MAIN, 'publish', dir, '--site', 'https://docs.example/'], says);
  publish(known, `${PAGES} created`);
  const costs = await measureInTurn(
    {
      empty: () => runNode(['-e', '0'], ''),
      version: () => runNode([MAIN, '--version'], '.'),
      help: () => runNode([MAIN, '--help'], 'Exit codes:'),
      unchanged: () => publish(known, `${PAGES} unchanged`),
      first: () => {
        rmSync(fresh, { recursive: true, force: true });
        cpSync(bare, fresh, { recursive: true });
        return publish(fresh, `${PAGES} created`);
      },
    },
    ROUNDS,
  );
  rmSync(folder, { recursive: true });
  const judge = (name: string, ours: Cost, goal?: { readonly atMost: number }) =>
    judgeCosts(
      { name: `startup-${name}`, unit: 'run', by: 'cpu', peerName: 'empty Node', ...(goal && { goal }) },
      { ours, peer: costs.empty },
    );
  return [
    judge('version', costs.version, { atMost: 2 }),
    judge('help', costs.help),
    judge('publish-unchanged', costs.unchanged, { atMost: 17 }),
    judge('publish-first', costs.first, { atMost: 16.5 }),
  ];
}

/** The shell knows what a process took to its very end: a third of an empty Node is spent after its own last word. */
const TIMED = 'TIMEFORMAT="%3U %3S"; time "$0" "$@" 2>/dev/null';

/** A run that says something else than it should shows nothing about its cost. */
function runNode(args: readonly string[], says: string): Cost {
  const started = process.hrtime.bigint();
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const shell = ['--norc', '-c', TIMED, process.execPath, ...args];
  const { stdout, stderr } = spawnSync('bash', shell, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const wallUs = Number(process.hrtime.bigint() - started) / 1000;
  const [, user, system] = stderr.match(/^([\d.]+) ([\d.]+)\n$/) ?? [];
  if (user === undefined || !stdout.includes(says)) throw new Error(`Not what was to be measured: ${stdout}${stderr}`);
  return { cpuUs: (Number(user) + Number(system)) * 1e6, wallUs };
}

function writeSite(dir: string): void {
  mkdirSync(dir);
  for (let page = 0; page < PAGES; page += 1) {
    const sections = Array.from({ length: 6 }, (_, section) => {
      return `<h2 id="part-${section}">Part ${section}</h2><p>${'What was said stays said, in the order it was said in. '.repeat(8)}</p>`;
    });
    const html = `<!doctype html><html lang="en"><head><title>Page ${page}</title></head><body><main><h1>Page ${page}</h1>${sections.join('\n')}</main></body></html>`;
    writeFileSync(join(dir, `page-${page}.html`), html);
  }
}
