import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningHub, startHub } from '../../src/doors/hub.ts';
import { seedRuns } from '../support/seeded-hub.ts';
import { BASE, ExportJudge } from './export-judge.ts';
import { type Child, projectRoot, startChild, type TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';

export interface ExportTorture {
  readonly rounds: number;
  readonly seed: number;
  /** The built code, or a copy of it with a defect. */
  readonly dist?: string;
}

export interface ExportTortureReport extends TortureReport {
  readonly followed: number;
  /** How often the place was exported to from nothing. */
  readonly places: number;
  readonly complaints: readonly string[];
}

/** So many that Atom archives become full, and that a first export takes its time. */
const FIRST_RUNS = 110;
/** Each so many rounds the place is emptied: most of what can go wrong, goes wrong in a first export. */
const ROUNDS_PER_PLACE = 5;
/** The first rounds of a place are cut off in the first export; in the others there is one, and it is cut off behind that. */
const FIRST_ROUNDS = 3;
/** Time for another export or two. */
const BEHIND_MS = 2500;
const EDIT_EVERY_MS = 50;
const PAGES = 20;

/** Kills an export at random moments, beside a hub that has news all the time, under the eyes of a reader who follows every address. */
export async function tortureExport({
  rounds,
  seed,
  dist = join(projectRoot(), 'dist'),
}: ExportTorture): Promise<ExportTortureReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-export-'));
  const random = new Random(seed);
  const judge = new ExportJudge(join(folder, 'out'));
  let [hits, places] = [0, 0];
  const begin = () => startChild('export-child.mjs', [dist, folder]);
  const empty = () => {
    rmSync(join(folder, 'out'), { recursive: true, force: true });
    judge.forget();
  };
  const hub = await startNews(folder);
  try {
    const wholeMs = await timeOfWhole(begin());
    for (let round = 0; round < rounds; round += 1) {
      const ofPlace = round % ROUNDS_PER_PLACE;
      if (ofPlace === 0) {
        empty();
        places += 1;
      }
      const child = begin();
      const isWhole = ofPlace < FIRST_ROUNDS ? child.waitFor('ready') : saysMore(child);
      await judge.readUntil(isWhole);
      await judge.readUntil(pause(random.fraction() * (ofPlace < FIRST_ROUNDS ? wholeMs : BEHIND_MS)));
      await kill(child);
      if (isCutOff(join(folder, 'out'))) hits += 1;
      judge.readAll();
    }
  } finally {
    await hub.stop();
    await rm(folder, { recursive: true });
  }
  const { missing, ...wrong } = judge.wrong;
  const named = { 'addresses without a file': missing, ...wrong, 'nothing to follow': judge.followed === 0 ? 1 : 0 };
  const { followed, complaints } = judge;
  return { name: `export (seed ${seed})`, rounds, hits, places, followed, complaints, wrong: named };
}

export function describeExport({ followed, places, complaints }: ExportTortureReport): string {
  return [`${places} places, ${followed} addresses followed`, ...complaints.map((line) => `    ${line}`)].join('\n');
}

/** Whether files were being written when the kill came: each is written under another name first. What was left is removed. */
function isCutOff(place: string): boolean {
  const scratch = join(place, '.tidings-tmp');
  const left = existsSync(scratch) ? readdirSync(scratch) : [];
  for (const name of left) rmSync(join(scratch, name));
  return left.length > 0;
}

/** How long a first export takes here, and until it begins. */
async function timeOfWhole(child: Child): Promise<number> {
  await child.waitFor('ready');
  const startedMs = Date.now();
  await saysMore(child);
  await kill(child);
  return Date.now() - startedMs;
}

/** Resolves once an export was done. */
async function saysMore(child: Child): Promise<void> {
  let isOver = false;
  void child.ended.then(() => {
    isOver = true;
  });
  while (child.lines.length < 2 && !isOver) await pause(5);
}

async function kill(child: Child): Promise<void> {
  child.kill();
  const ended = await child.ended;
  if (ended !== 'SIGKILL') throw new Error(`The export ended by itself: ${ended}.`);
}

/** A hub with a past, whose pages are edited all the time. */
async function startNews(folder: string): Promise<{ stop(): Promise<void> }> {
  const data = join(folder, 'data');
  await seedRuns(data, FIRST_RUNS);
  mkdirSync(join(folder, 'site'));
  let edits = 0;
  const edit = () => {
    edits += 1;
    const page = `<html><title>Page</title><main><h1>Page</h1><h2 id="one">One</h2><p>Edition ${edits}.</p></main></html>`;
    writeFileSync(join(folder, 'site', `page-${edits % PAGES}.html`), page);
  };
  edit();
  const live = {
    id: 'live',
    kind: 'folder' as const,
    path: './site',
    site: 'https://live.example/',
    intervalSeconds: 1,
  };
  const hub: RunningHub = await startHub(
    { port: 0, data, baseUrl: BASE, sources: [live] },
    { base: folder, token: 'tdg_0123456789abcdef' },
  );
  const editing = setInterval(edit, EDIT_EVERY_MS);
  return {
    async stop() {
      clearInterval(editing);
      await hub.close();
    },
  };
}
