import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, type Cost, judgeCosts, measureInTurn } from './harness.ts';
import { runNode } from './run-node.ts';

const ROUNDS = 9;
const PAGES = 5;
const MAIN = join('dist', 'cli', 'main.js');

/**
 * The cost of a verb besides its work: processes of the command line compared with an empty Node, all in turn. A publish of five pages is mostly start-up: it
 * cost 34 times an empty Node when every verb loaded everything, and the first one 33 times. The goal is half of that.
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
