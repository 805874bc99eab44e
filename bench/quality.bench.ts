import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPageDocument } from '../src/extract/document/read-page.ts';
import type { BenchResult, ScoreResult } from './harness.ts';
import { type CorpusName, type CorpusPage, readCorpus, SCORER } from './page-corpus.ts';
import { plainTextOf } from './plain-text.ts';

const PEERS = ['readability', 'defuddle'] as const;
/** For all pages of one peer. */
const PEER_DEADLINE_MS = 40 * 60_000;
const MAX_FAILED_SHARE = 0.05;

/** Here the floor is to be ahead of every peer. Elsewhere it is to be this near to the best. */
const AHEAD = new Set(['documentation', 'ALL']);
const MAX_BEHIND = 0.01;
const GOALS: Readonly<Record<CorpusName, ReadonlyMap<string, number>>> = {
  pages: new Map([
    ['documentation', 0.94],
    ['article', 0.96],
    ['ALL', 0.85],
  ]),
  'pages-validation': new Map([
    ['article', 0.955],
    ['forum', 0.8],
    ['listing', 0.75],
    ['ALL', 0.87],
  ]),
};

/**
 * How well the content of a page is found: word-level F1 per type of page, compared with other tools.
 *
 * Needs the labelled corpus and its scorer beside the project. Every side is judged by its text without markup. After the scores comes a table of the detected
 * kinds of pages. `npm run bench -- quality validation` uses the pages for measuring only; `ours` leaves the peers out.
 */
export async function bench(words: readonly string[] = []): Promise<BenchResult[]> {
  const corpus: CorpusName = words.includes('validation') ? 'pages-validation' : 'pages';
  const pages = readCorpus('quality', corpus);
  if (pages === undefined) return [];
  const others = words.includes('ours') ? [] : PEERS;
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-quality-'));
  try {
    const input = join(folder, 'pages.json');
    await writeFile(input, JSON.stringify(pages.map(({ id, url, html }) => ({ id, url, html }))));
    const { texts, kinds } = ourReading(pages);
    await writeFile(join(folder, 'ours.json'), JSON.stringify(texts));
    await Promise.all(others.map((peer) => runPeer(peer, input, join(folder, `${peer}.json`))));

    process.stdout.write(`${kindTable(pages, kinds)}\n`);
    const ours = scoresOf(join(folder, 'ours.json'), corpus);
    const peers = others.map((peer) => [peer, scoresOf(join(folder, `${peer}.json`), corpus)] as const);
    return [...ours.keys()].map((type) => resultOf({ type, corpus }, ours, peers));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function ourReading(pages: readonly CorpusPage[]) {
  const [texts, kinds]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const { id, url, html } of pages) {
    const { content, identity } = readPageDocument(html, url, { economics: false });
    texts[id] = plainTextOf(content.markdown);
    kinds[id] = identity.content_type ?? 'none';
  }
  return { texts, kinds };
}

/** A row for each labelled type: how many of its pages were detected as which kind. */
function kindTable(pages: readonly CorpusPage[], kinds: Readonly<Record<string, string>>): string {
  const columns = [...new Set([...pages.map(({ type }) => type), ...Object.values(kinds)])].sort();
  const types = [...new Set(pages.map(({ type }) => type))].sort();
  const rows = types.map((type) => {
    const ofType = pages.filter((page) => page.type === type);
    const counts = columns.map((kind) => ofType.filter(({ id }) => kinds[id] === kind).length);
    return [type, ...counts.map((count) => (count === 0 ? '.' : String(count)))];
  });
  const right = pages.filter(({ id, type }) => kinds[id] === type).length;
  const shown = [['content_type', ...columns], ...rows].map((row) =>
    row
      .map((cell) => cell.padEnd(14))
      .join('')
      .trim(),
  );
  return [...shown, `told right: ${right} of ${pages.length}`].join('\n');
}

async function runPeer(peer: string, input: string, output: string): Promise<void> {
  const child = promisify(execFile)(process.execPath, [join('bench', 'quality-child.mjs'), peer, input, output], {
    timeout: PEER_DEADLINE_MS,
  });
  child.child.stderr?.pipe(process.stderr, { end: false });
  const { pages, failed } = JSON.parse((await child).stdout) as {
    readonly pages: number;
    readonly failed: readonly string[];
  };
  // A peer that fails everywhere is set up wrong, and says nothing about ours.
  if (failed.length > pages * MAX_FAILED_SHARE)
    throw new Error(`${peer} failed on ${failed.length} pages of ${pages}.`);
  if (failed.length > 0) process.stdout.write(`quality: ${peer} failed on ${failed.join(', ')}: no text\n`);
}

interface Scores {
  readonly count: number;
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
  readonly kept: number;
  readonly dropped: number;
}

/** By type of page, as the scorer prints them. */
function scoresOf(predictions: string, corpus: CorpusName): Map<string, Scores> {
  const output = execFileSync(process.execPath, [SCORER, predictions, corpus], { encoding: 'utf8' });
  const row = /^(\S+)\s+n=(\d+)\s+F1 (\S+) P (\S+) R (\S+) kept (\S+) dropped (\S+)$/gm;
  const scores = new Map(
    Array.from(output.matchAll(row), ([, type = '', ...figures]): [string, Scores] => {
      const [count = 0, f1 = 0, precision = 0, recall = 0, kept = 0, dropped = 0] = figures.map(Number);
      return [type, { count, f1, precision, recall, kept, dropped }];
    }),
  );
  if (!scores.has('ALL')) throw new Error(`The scorer printed something else than scores: ${output}`);
  return scores;
}

function resultOf(
  { type, corpus }: { readonly type: string; readonly corpus: CorpusName },
  ours: ReadonlyMap<string, Scores>,
  peers: readonly (readonly [string, ReadonlyMap<string, Scores>])[],
): ScoreResult {
  const { count, f1, ...also } = ours.get(type) ?? { count: 0, f1: 0 };
  const others = Object.fromEntries(peers.map(([peer, scores]) => [peer, scores.get(type)?.f1 ?? 0]));
  const best = Math.max(0, ...Object.values(others));
  const goal = GOALS[corpus].get(type);
  return {
    name: `quality-${corpus === 'pages' ? '' : 'validation-'}${type.toLowerCase()}`,
    by: 'score',
    count,
    unit: 'page',
    ours: f1,
    peers: others,
    floor: AHEAD.has(type) ? 'ahead of both' : `≥ best - ${MAX_BEHIND}`,
    // The scores have three decimals. The tolerance covers rounding errors of binary fractions.
    floorKept: AHEAD.has(type) ? f1 > best : f1 - best >= -MAX_BEHIND - 1e-9,
    goal: goal === undefined ? 'none' : `≥ ${goal}`,
    reached: goal === undefined || f1 >= goal,
    also,
  };
}
