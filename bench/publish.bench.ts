import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, type Cost, compare } from './harness.ts';

const PAGES = 10_000;
const EDITED = PAGES / 100;
const ROUNDS = 5;

/**
 * A publish of 10,000 pages beside hashing the same files: the first one, one after 1 % of the pages was edited, and
 * one of the same build again. Every run is a process of its own.
 */
export async function bench(): Promise<BenchResult[]> {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-bench-publish-'));
  for (let page = 0; page < PAGES; page += 1) {
    mkdirSync(folderOf(dir, page), { recursive: true });
    writePage(dir, page, 0);
  }
  let edition = 0;
  const peer = () => run('hash', dir, 0);
  const results = [
    await compare({
      name: 'publish-first',
      unit: 'page',
      by: 'cpu',
      peerName: 'hashing',
      rounds: 1,
      ours: async () => {
        for (const made of ['.well-known', 'ai-changes.ndjson', 'diff', 'archive', 'resourcesync', 'changes.atom']) {
          await rm(join(dir, made), { recursive: true, force: true });
        }
        return run('publish', dir, PAGES);
      },
      peer,
    }),
    await compare({
      name: 'publish-1-percent-edited',
      unit: 'page',
      by: 'cpu',
      peerName: 'hashing',
      goal: { atMost: 2 },
      rounds: ROUNDS,
      ours: () => {
        edition += 1;
        for (let page = 0; page < PAGES; page += PAGES / EDITED) writePage(dir, page, edition);
        return run('publish', dir, EDITED);
      },
      peer,
    }),
    await compare({
      name: 'publish-unchanged',
      unit: 'page',
      by: 'cpu',
      peerName: 'hashing',
      goal: { atMost: 2 },
      rounds: ROUNDS,
      ours: () => run('publish', dir, 0),
      peer,
    }),
  ];
  await rm(dir, { recursive: true });
  return results;
}

/** A run that says another number of changes than it should shows nothing about its speed. */
function run(work: 'publish' | 'hash', dir: string, changes: number): Cost {
  const child = join('bench', 'publish-child.mjs');
  const started = process.hrtime.bigint();
  const output = execFileSync(process.execPath, [child, work, dir], { encoding: 'utf8' });
  const wallUs = Number(process.hrtime.bigint() - started) / 1000;
  const story = JSON.parse(output) as { readonly pages: number; readonly changes: number; readonly cpuUs: number };
  if (story.pages !== PAGES || story.changes !== changes) throw new Error(`Not what was to be measured: ${output}`);
  return { cpuUs: story.cpuUs / PAGES, wallUs: wallUs / PAGES };
}

function folderOf(dir: string, page: number): string {
  return join(dir, `chapter-${page % 100}`);
}

/** About 24 KB, of which the navigation is a third: smaller than most pages of documentation on the web. */
function writePage(dir: string, page: number, edition: number): void {
  const links = Array.from(
    { length: 80 },
    (_, link) => `<li class="nav__item"><a class="nav__link" href="/chapter-${link}/">Chapter ${link}</a></li>`,
  );
  const sections = Array.from({ length: 8 }, (_, section) => {
    const text = section === 3 ? `This is edition ${edition} of page ${page}. ` : '';
    return `<h2 id="section-${section}">Section ${section}</h2>\n<p>${text}${WORDS.repeat(6)}</p>\n<pre><code class="language-js">run(${page}, ${section});</code></pre>`;
  });
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page} – Docs</title></head>
<body><nav><ul>${links.join('\n')}</ul></nav><main><h1>Page ${page}</h1><p>${WORDS}</p>\n${sections.join('\n')}</main><footer>© Docs</footer></body></html>`;
  writeFileSync(join(folderOf(dir, page), `page-${page}.html`), html);
}

const WORDS =
  'The server keeps every change in one ordered log and tells its readers which section of which page it was about. ' +
  'A reader that was away asks for what it missed, and gets exactly that, in order, once. ' +
  'Nothing that was said is ever taken back; a mistake is mended by saying something new. ';
