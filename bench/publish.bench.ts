import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchResult, type Cost, type FigureResult, judgeCosts, measureInTurn } from './harness.ts';
import { runNode } from './run-node.ts';

const MAIN = join('dist', 'cli', 'main.js');
const MEGABYTE = 1e6;
/** Static hosts refuse files of 25 MiB. */
const LARGEST_BYTES = 20 * MEGABYTE;
const WRITTEN_SHARE = 0.1;

/**
 * A publish through the command line compared with hashing the same files, including start-up: of the same build again, and after 1 % of the pages were edited.
 * Then its output: the written bytes compared with everything published, and the largest file.
 *
 *     npm run bench -- publish 2000 3
 *
 * The first number is the number of pages, the second how often each side runs.
 */
export async function bench([pages = '10000', rounds = '3']: readonly string[] = []): Promise<BenchResult[]> {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-bench-publish-'));
  const site = new MadeSite(dir, Number(pages));
  const first = site.publish(`: ${site.pages} created`);
  const largest = site.largestFile();
  site.edit();
  const before = site.snapshot();
  site.publish(`, ${site.edited} updated`);
  const written = { edited: site.bytesSince(before), tree: site.treeBytes() };
  // The first publish after a change records that nothing changed since.
  site.publish(', 0 updated');
  const quiet = site.snapshot();
  site.publish(', 0 updated');
  const unchanged = site.bytesSince(quiet);
  const costs = await measureInTurn(
    {
      hashing: () => runNode([join('bench', 'hash-child.mjs'), dir], `${site.pages}`),
      edited: () => {
        site.edit();
        return site.publish(`, ${site.edited} updated`);
      },
      // It rereads what was just written and stores the result, so that later runs need not.
      afterEdit: () => site.publish(', 0 updated'),
      unchanged: () => site.publish(', 0 updated'),
      // A publish without work costs only loading and starting.
      startup: () => runNode([MAIN, 'publish', '--help'], '--site'),
    },
    Number(rounds),
  );
  await rm(dir, { recursive: true });
  const perPage = ({ cpuUs, wallUs }: Cost) => ({ cpuUs: cpuUs / site.pages, wallUs: wallUs / site.pages });
  const judge = (name: string, ours: Cost, goal?: { readonly atMost: number }) =>
    judgeCosts(
      { name: `publish-${name}`, unit: 'page', by: 'cpu', peerName: 'hashing', ...(goal && { goal }) },
      { ours: perPage(ours), peer: perPage(costs.hashing) },
    );
  return [
    judge('first', first),
    judge('startup', costs.startup),
    judge('unchanged', costs.unchanged, { atMost: 2 }),
    judge('unchanged-after-edit', costs.afterEdit),
    judge('1-percent-edited', costs.edited, { atMost: 3 }),
    writtenResult({ ...written, unchanged }),
    largestResult(largest.bytes, largest.path, site),
  ];
}

function writtenResult(bytes: {
  readonly edited: number;
  readonly unchanged: number;
  readonly tree: number;
}): FigureResult {
  return {
    name: 'publish-bytes-written',
    by: 'figures',
    ours: { '1 % edited': bytes.edited, unchanged: bytes.unchanged },
    peer: { bytes: bytes.tree },
    peerName: 'all that is published',
    goal: `≤ ${WRITTEN_SHARE * 100} % for 1 % edited, nothing for nothing`,
    reached: bytes.edited <= bytes.tree * WRITTEN_SHARE && bytes.unchanged === 0,
  };
}

function largestResult(bytes: number, path: string, { pages }: MadeSite): FigureResult {
  return {
    name: 'publish-largest-file',
    by: 'figures',
    ours: { [path]: bytes },
    peer: { pages },
    peerName: 'of a first publish with',
    goal: `≤ ${LARGEST_BYTES}`,
    reached: bytes <= LARGEST_BYTES,
  };
}

/** A site of generated pages, of which every hundredth is edited. */
class MadeSite {
  readonly pages: number;
  readonly edited: number;
  readonly #dir: string;
  #edition = 0;

  constructor(dir: string, pages: number) {
    this.#dir = dir;
    this.pages = pages;
    this.edited = Math.ceil(pages / 100);
    for (let page = 0; page < pages; page += 1) this.#write(page);
  }

  edit(): void {
    this.#edition += 1;
    // One page of each chapter, so that edits are spread over the site.
    for (let page = 0; page < this.pages; page += 100)
      this.#write(Math.min(page + ((page / 100) % 100), this.pages - 1));
  }

  publish(says: string): Cost {
    return runNode([MAIN, 'publish', this.#dir, '--site', 'https://docs.example/'], says);
  }

  /** The file at each published path. A replaced file has another inode. */
  snapshot(): ReadonlyMap<string, { readonly inode: number; readonly bytes: number }> {
    const files = readdirSync(this.#dir, { recursive: true, withFileTypes: true });
    return new Map(
      files
        .filter((file) => file.isFile() && !file.name.endsWith('.html'))
        .map((file) => {
          const path = join(file.parentPath, file.name);
          const { ino: inode, size: bytes } = statSync(path);
          return [path.slice(this.#dir.length + 1), { inode, bytes }] as const;
        }),
    );
  }

  bytesSince(before: ReturnType<MadeSite['snapshot']>): number {
    let sum = 0;
    for (const [path, { inode, bytes }] of this.snapshot()) if (before.get(path)?.inode !== inode) sum += bytes;
    return sum;
  }

  treeBytes(): number {
    return [...this.snapshot().values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  largestFile(): { readonly path: string; readonly bytes: number } {
    return Array.from(this.snapshot(), ([path, { bytes }]) => ({ path, bytes })).reduce((most, file) =>
      file.bytes > most.bytes ? file : most,
    );
  }

  /** About 24 KB, a third of it navigation: smaller than most documentation pages on the web. */
  #write(page: number): void {
    const links = Array.from(
      { length: 80 },
      (_, link) => `<li class="nav__item"><a class="nav__link" href="/chapter-${link}/">Chapter ${link}</a></li>`,
    );
    const sections = Array.from({ length: 8 }, (_, section) => {
      const text = section === 3 ? `This is edition ${this.#edition} of page ${page}. ` : '';
      return `<h2 id="section-${section}">Section ${section}</h2>\n<p>${text}${WORDS.repeat(6)}</p>\n<pre><code class="language-js">run(${page}, ${section});</code></pre>`;
    });
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${page} – Docs</title></head>
<body><nav><ul>${links.join('\n')}</ul></nav><main><h1>Page ${page}</h1><p>${WORDS}</p>\n${sections.join('\n')}</main><footer>© Docs</footer></body></html>`;
    const folder = join(this.#dir, `chapter-${page % 100}`);
    mkdirSync(folder, { recursive: true });
    // A new file, as a build makes it.
    rmSync(join(folder, `page-${page}.html`), { force: true });
    writeFileSync(join(folder, `page-${page}.html`), html);
  }
}

const WORDS =
  'The server keeps every change in one ordered log and tells its readers which section of which page it was about. ' +
  'A reader that was away asks for what it missed, and gets exactly that, in order, once. ' +
  'Nothing that was said is ever taken back; a mistake is mended by saying something new. ';
