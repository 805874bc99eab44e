import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeTilePath } from '../../src/codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../../src/codecs/tlog/tiles-of-size.ts';
import { fsckFolder } from '../../src/doors/fsck-folder.ts';
import { publish } from '../../src/doors/publish.ts';
import { readTestLog, rootOf, TEST_LOG_KEY } from '../support/tlog-site.ts';
import { editionHtml, FIRST_EDITIONS, pageOf } from './editions.mjs';
import { startChild, type TortureReport } from './harness.ts';

const SITE = 'https://docs.example/';
const PREFIX = '.well-known/tidings';
/** So many kills does one site suffer before the next one starts from nothing: enough for several full tiles. */
const ROUNDS_PER_SITE = 50;
const LONGEST_MS = 400;

interface Wrong {
  'checkpoints that cover missing tiles': number;
  forks: number;
  'things that fsck finds': number;
}

export function nothingWrong(): Wrong {
  return { 'checkpoints that cover missing tiles': 0, forks: 0, 'things that fsck finds': 0 };
}

/** Kills a publisher of a provable log at random moments, under the eyes of a reader of each checkpoint that is served. */
export async function tortureTlogPublish(rounds: number): Promise<TortureReport> {
  const wrong = nothingWrong();
  let hits = 0;
  for (let done = 0, number = 0; done < rounds; done += ROUNDS_PER_SITE, number += 1) {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
    // Every other site keeps its state elsewhere.
    const state = number % 2 === 0 ? undefined : await mkdtemp(join(tmpdir(), 'tidings-torture-'));
    hits += await tortureOneSite({ dir: folder, state }, Math.min(ROUNDS_PER_SITE, rounds - done), wrong);
    for (const each of [folder, state]) if (each !== undefined) await rm(each, { recursive: true });
  }
  return { name: 'tlog-publish', rounds, hits, wrong: { ...wrong } };
}

interface Site {
  readonly dir: string;
  readonly state: string | undefined;
}

async function tortureOneSite({ dir, state }: Site, rounds: number, wrong: Wrong): Promise<number> {
  const keyFile = join(dir, 'log-key.json');
  writeFileSync(keyFile, TEST_LOG_KEY, { mode: 0o600 });
  for (const edition of FIRST_EDITIONS) writeFileSync(join(dir, pageOf(edition)), editionHtml(edition));
  const reader = new CheckpointReader(dir, wrong);
  let next = FIRST_EDITIONS.length;
  let hits = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const child = startChild('tlog-publish-child.mjs', [dir, state ?? '-', `${next}`, keyFile]);
    const reading = reader.readWhile(child.ended);
    await child.waitFor('ready');
    await pause(Math.random() * LONGEST_MS);
    child.kill();
    await child.ended;
    await reading;
    const count = (word: string) => child.lines.filter((line) => line.startsWith(word)).length;
    if (count('start') > count('done')) hits += 1;
    next += count('start') + 1;
  }
  // One run that nobody disturbs completes whatever was left behind.
  await publish({ dir, site: SITE, logKeyText: TEST_LOG_KEY, ...(state !== undefined && { state }) });
  reader.read();
  reader.judge();
  const { findings } = await fsckFolder(dir, state === undefined ? {} : { state });
  for (const { where, what } of findings) process.stderr.write(`fsck: ${where}: ${what}\n`);
  wrong['things that fsck finds'] += findings.length;
  return hits;
}

/** Every checkpoint that a site serves, as a follower would see them. */
export class CheckpointReader {
  readonly #dir: string;
  readonly #wrong: Wrong;
  /** Roots by size. */
  readonly #seen = new Map<number, string>();
  #last = '';

  constructor(dir: string, wrong: Wrong) {
    this.#dir = dir;
    this.#wrong = wrong;
  }

  async readWhile(ended: Promise<unknown>): Promise<void> {
    let alive = true;
    void ended.then(() => {
      alive = false;
    });
    while (alive) {
      this.read();
      await pause(1);
    }
    this.read();
  }

  read(): void {
    const file = join(this.#dir, PREFIX, 'checkpoint');
    const note = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (note === this.#last || note === '') return;
    this.#last = note;
    const [, size = '', root = ''] = note.split('\n');
    const known = this.#seen.get(Number(size)) ?? root;
    if (known !== root) this.#wrong.forks += 1;
    this.#seen.set(Number(size), root);
    this.#lookForTiles(Number(size));
  }

  /** All that was signed must be the beginning of what there is now. */
  judge(): void {
    const { bytes, faults } = readTestLog(this.#dir);
    this.#wrong['checkpoints that cover missing tiles'] += faults.length;
    for (const [size, root] of this.#seen) {
      const now = Buffer.from(rootOf(bytes.slice(0, size)), 'hex').toString('base64');
      if (size > bytes.length || now !== root) this.#wrong.forks += 1;
      this.#lookForTiles(size);
    }
  }

  /** A partial tile may be gone once the full one is there. */
  #lookForTiles(size: number): void {
    for (const tile of [...newBundles(0, size), ...newTiles(0, size)]) {
      const paths = [tile, { ...tile, width: 256 }].map((each) => join(this.#dir, PREFIX, encodeTilePath(each)));
      if (!paths.some((path) => existsSync(path))) this.#wrong['checkpoints that cover missing tiles'] += 1;
    }
  }
}
