import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyFeed, entryOf, restatedFeed } from '../../src/dialects/diffdelta/runs/make-feed.ts';
import { globalRunFeed, sourceRunFeed, unchangedEntry } from '../../src/dialects/diffdelta/runs/run-feeds.ts';
import { itemsOfRun } from '../../src/dialects/diffdelta/runs/run-items.ts';
import { placeChanges } from '../../src/log/place-changes.ts';
import { countMisled } from './diffdelta-client.ts';
import { otherwiseDiscovered, randomHistory, type Step } from './diffdelta-history.ts';
import { judgeFiles, nothingWrong } from './diffdelta-judge.ts';
import { cursorsOf, type Engine, replay } from './diffdelta-replay.mjs';
import { passed, startChild, type TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';

export const ENGINE: Engine = {
  placeChanges,
  itemsOfRun,
  sourceRunFeed,
  globalRunFeed,
  unchangedEntry,
  entryOf,
  emptyFeed,
  restatedFeed,
};

export interface DiffDeltaReport extends TortureReport {
  readonly seed: number;
  readonly files: number;
}

export interface DiffDeltaOptions {
  readonly histories: number;
  readonly seed: number;
  readonly engine?: Engine;
  /** Another process replays them, too. It runs on what is built. */
  readonly withChild?: boolean;
}

/**
 * Random histories, each replayed here, here in another order of discovery, and so in another process: every cursor of
 * every file must be the same, every file right by itself, and a client that sleeps must end where one ends that does not.
 */
export async function tortureDiffDelta(options: DiffDeltaOptions): Promise<DiffDeltaReport> {
  const { histories, seed, engine = ENGINE, withChild = true } = options;
  const wrong = { ...nothingWrong(), differing: 0, 'differing elsewhere': 0, misled: 0 };
  const others: Step[][] = [];
  const cursors: string[] = [];
  let hits = 0;
  let files = 0;
  for (let round = 0; round < histories; round += 1) {
    const history = randomHistory(seed + round);
    const other = otherwiseDiscovered(history, seed - round);
    const written = replay(history, engine);
    judgeFiles(written, wrong);
    wrong.misled += countMisled(written, new Random(seed + round));
    cursors.push(cursorsOf(written));
    if (cursorsOf(replay(other, engine)) !== cursors.at(-1)) wrong.differing += 1;
    if (isReordered(history, other)) hits += 1;
    others.push(other);
    files += written.length;
  }
  const digests = withChild ? await replayElsewhere(others) : cursors.map(digestOf);
  wrong['differing elsewhere'] = cursors.filter((text, at) => digestOf(text) !== digests[at]).length;
  return { name: 'diffdelta', rounds: histories, hits, wrong, seed, files };
}

export function describeDiffDelta(report: DiffDeltaReport): string {
  const wrong = Object.entries(report.wrong).map(([what, count]) => `${count} ${what}`);
  const verdict = passed(report) ? 'ok' : 'FAILED';
  return `diffdelta (seed ${report.seed}): ${report.rounds} histories, ${report.hits} in another order, ${report.files} files: ${wrong.join(', ')}: ${verdict}`;
}

async function replayElsewhere(histories: readonly (readonly Step[])[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
  try {
    const file = join(folder, 'histories.ndjson');
    await writeFile(file, histories.map((history) => `${JSON.stringify(history)}\n`).join(''));
    const child = startChild('diffdelta-child.mjs', [file]);
    const ended = await child.ended;
    if (ended !== 0) throw new Error(`The child ended with ${ended}.`);
    return child.lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function isReordered(history: readonly Step[], other: readonly Step[]): boolean {
  const order = (steps: readonly Step[]) => JSON.stringify(steps.map((step) => (step.is === 'run' ? step.drafts : [])));
  return order(history) !== order(other);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
