import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readPageDocument } from '../src/extract/document/read-page.ts';
import type { BenchResult, ScoreResult } from './harness.ts';
import { type CorpusPage, readCorpus, SCORER } from './page-corpus.ts';
import { plainTextOf } from './plain-text.ts';

const PEERS = ['readability', 'defuddle'] as const;
/** For all pages of one peer. */
const PEER_DEADLINE_MS = 40 * 60_000;
const MAX_FAILED_SHARE = 0.05;

/** Where being ahead of every peer is the floor; elsewhere it is being this near to the best. */
const AHEAD = new Set(['documentation', 'ALL']);
const MAX_BEHIND = 0.01;
const GOALS: ReadonlyMap<string, number> = new Map([
  ['documentation', 0.94],
  ['article', 0.96],
  ['ALL', 0.85],
]);

/**
 * How well the content of a page is found: word-level F1 per type of page, beside what others take for the content.
 *
 * Needs the labelled corpus and its scorer beside the project. Every side is judged by its text without any markup.
 */
export async function bench(): Promise<BenchResult[]> {
  const pages = readCorpus('quality');
  if (pages === undefined) return [];
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-quality-'));
  try {
    const input = join(folder, 'pages.json');
    await writeFile(input, JSON.stringify(pages.map(({ id, url, html }) => ({ id, url, html }))));
    await writeFile(join(folder, 'ours.json'), JSON.stringify(ourTexts(pages)));
    await Promise.all(PEERS.map((peer) => runPeer(peer, input, join(folder, `${peer}.json`))));

    const ours = scoresOf(join(folder, 'ours.json'));
    const peers = PEERS.map((peer) => [peer, scoresOf(join(folder, `${peer}.json`))] as const);
    return [...ours.keys()].map((type) => resultOf(type, ours, peers));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function ourTexts(pages: readonly CorpusPage[]): Record<string, string> {
  return Object.fromEntries(
    pages.map(({ id, url, html }) => [
      id,
      plainTextOf(readPageDocument(html, url, { economics: false }).content.markdown),
    ]),
  );
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
  // A peer that fails everywhere is set up wrong, and shows nothing about ours.
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
function scoresOf(predictions: string): Map<string, Scores> {
  const output = execFileSync(process.execPath, [SCORER, predictions], { encoding: 'utf8' });
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
  type: string,
  ours: ReadonlyMap<string, Scores>,
  peers: readonly (readonly [string, ReadonlyMap<string, Scores>])[],
): ScoreResult {
  const { count, f1, ...also } = ours.get(type) ?? { count: 0, f1: 0 };
  const others = Object.fromEntries(peers.map(([peer, scores]) => [peer, scores.get(type)?.f1 ?? 0]));
  const best = Math.max(...Object.values(others));
  const goal = GOALS.get(type);
  return {
    name: `quality-${type.toLowerCase()}`,
    by: 'score',
    count,
    unit: 'page',
    ours: f1,
    peers: others,
    floor: AHEAD.has(type) ? 'ahead of both' : `≥ best - ${MAX_BEHIND}`,
    // The scores have three decimals; their difference must not miss by what binary fractions cannot say.
    floorKept: AHEAD.has(type) ? f1 > best : f1 - best >= -MAX_BEHIND - 1e-9,
    goal: goal === undefined ? 'none' : `≥ ${goal}`,
    reached: goal === undefined || f1 >= goal,
    also,
  };
}
