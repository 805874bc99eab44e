import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MADE_PAGES } from '../test/noise/made-pages.ts';
import { type BenchResult, type Cost, judgeCosts, measureInTurn, type Side } from './harness.ts';
import { readCorpus, sampleOf } from './page-corpus.ts';

/** Per type, for the peers that need half a second for a page. */
const SAMPLED_PER_TYPE = 3;
const MADE_COPIES = 40;
const ROUNDS = 3;

interface Input {
  readonly url: string;
  readonly html: string;
}

/**
 * Reading a page into an AIDocument, compared with the usual ways from HTML to Markdown and with parsing alone.
 *
 * Every side is a separate process with its pages in memory. Each warms up for the same CPU time, then they take turns. The slow peers read a sample of every
 * type of page, and so does ours for that comparison. The goals apply to real pages: without the corpus, generated pages are for information only.
 */
export async function bench(): Promise<BenchResult[]> {
  const corpus = readCorpus('pages');
  const all: readonly Input[] = corpus ?? Array.from({ length: MADE_COPIES }, () => MADE_PAGES).flat();
  const sample: readonly Input[] = corpus === undefined ? all : sampleOf(corpus, SAMPLED_PER_TYPE);
  process.stdout.write(
    `pages: ${all.length} ${corpus === undefined ? 'made' : 'real'} pages, ${sample.length} of them for the slow peers\n`,
  );

  const onSample = await measureSides(sample, ['ours', 'ours-without-economics', 'jsdom', 'linkedom']);
  const onAll = await measureSides(all, ['ours', 'ours-without-economics', 'parse']);
  const row = { unit: 'page', by: 'cpu' } as const;
  const jsdom = {
    ...row,
    peerName: 'jsdom + readability + turndown',
    ...(corpus !== undefined && { goal: { atLeast: 30 } }),
  };
  const linkedom = { ...row, peerName: 'linkedom + readability + turndown' };
  const parse = { ...row, peerName: 'htmlparser2 parsing' };
  const without = 'ours-without-economics';
  return [
    judgeCosts({ ...jsdom, name: 'pages-beside-jsdom' }, { ours: onSample.ours, peer: onSample.jsdom }),
    judgeCosts(
      { ...jsdom, name: 'pages-without-economics-beside-jsdom' },
      { ours: onSample[without], peer: onSample.jsdom },
    ),
    judgeCosts({ ...linkedom, name: 'pages-beside-linkedom' }, { ours: onSample.ours, peer: onSample.linkedom }),
    judgeCosts({ ...parse, name: 'pages-beside-parse' }, { ours: onAll.ours, peer: onAll.parse }),
    judgeCosts(
      { ...parse, name: 'pages-without-economics-beside-parse', ...(corpus !== undefined && { goal: { atMost: 3 } }) },
      { ours: onAll[without], peer: onAll.parse },
    ),
  ];
}

async function measureSides<Name extends string>(
  pages: readonly Input[],
  names: readonly Name[],
): Promise<Record<Name, Cost>> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-pages-'));
  const file = join(folder, 'pages.json');
  await writeFile(file, JSON.stringify(pages.map(({ url, html }) => ({ url, html }))));
  const readers: Reader[] = [];
  try {
    for (const name of names) readers.push(await startReader(name, file, pages.length));
    const sides = Object.fromEntries(readers.map(({ name, readAll }) => [name, readAll])) as Record<Name, Side>;
    return await measureInTurn(sides, ROUNDS);
  } finally {
    for (const reader of readers) await reader.stop();
    await rm(folder, { recursive: true });
  }
}

interface Reader {
  readonly name: string;
  /** The cost of one page when all are read once. */
  readonly readAll: () => Promise<Cost>;
  readonly stop: () => Promise<void>;
}

interface Round extends Cost {
  readonly characters: number;
}

async function startReader(name: string, file: string, count: number): Promise<Reader> {
  const child = fork(join('bench', 'pages-child.mjs'), [name, file]);
  const ready = (await nextMessage(child)) as { readonly pages: number };
  if (ready.pages !== count) throw new Error(`${name} read ${ready.pages} pages of ${count}.`);
  return {
    name,
    async readAll() {
      child.send('read');
      const { cpuUs, wallUs, characters } = (await nextMessage(child)) as Round;
      // A side without output says nothing about speed.
      if (characters < count) throw new Error(`${name} found ${characters} characters in ${count} pages.`);
      return { cpuUs: cpuUs / count, wallUs: wallUs / count };
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Fails if the child ends instead. */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const stop = () => ended.abort(new Error('A reader of pages ended before its time.'));
  child.once('exit', stop);
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [unknown];
    return message;
  } finally {
    child.off('exit', stop);
  }
}
