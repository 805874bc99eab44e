import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { startPGlite } from '../support/pglite-server.ts';
import { projectRoot, type TortureReport } from './harness.ts';
import { newSeed, Random } from './hub-random.ts';
import { folderIndex, type IndexReader, postgresIndex, sqliteIndex } from './sync-indexes.ts';
import { openSyncSites, type SyncSites } from './sync-sites.ts';

export interface SyncTorture {
  readonly edits: number;
  readonly kills: number;
  readonly seed?: number;
  /** All three unless said otherwise. */
  readonly indexes?: readonly IndexKind[];
}

type IndexKind = 'dir' | 'sqlite' | 'postgres';

export interface SyncTortureReport extends TortureReport {
  readonly settles: number;
  readonly embedded: number;
  readonly observations: number;
  readonly seed: number;
}

/** Between two settles. */
const EDITS_AT_ONCE = 5;
/** A page of a site without a feed is gone at the second look that says so. */
const MOST_RUNS = 4;
const LONGEST_LIFE_MS = 4000;
const LOOK_EVERY_MS = 25;

/**
 * Edits seven sites at random, kills `tidings sync` (with the hub and the sink in it) at random moments, lets it settle, and compares: a folder, an SQLite file and a PostgreSQL, while somebody
 * reads them all the time.
 */
export async function tortureSync(options: SyncTorture): Promise<SyncTortureReport> {
  const { edits, kills, seed = newSeed(), indexes: wanted = ['dir', 'sqlite', 'postgres'] } = options;
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-sync-'));
  try {
    await using sites = await openSyncSites(random);
    await using embeddings = await startEmbeddingServer();
    await using postgres = wanted.includes('postgres') ? await startPGlite() : undefined;
    await using inPostgres = postgres === undefined ? undefined : await postgresIndex(postgres.url);
    const readers = [
      ...(wanted.includes('dir') ? [folderIndex(join(folder, 'mirror'))] : []),
      ...(wanted.includes('sqlite') ? [sqliteIndex(join(folder, 'index.db'))] : []),
      ...(inPostgres === undefined ? [] : [inPostgres]),
    ];
    const worldOf = (at: number) => ({ sites, embeddings, state: join(folder, `state${at}`) });
    const indexes = readers.map((reader, at) => new TorturedIndex(reader, worldOf(at)));
    const settles = Math.ceil(edits / EDITS_AT_ONCE);
    let left = kills;
    for (const index of indexes) await index.settle();
    for (let settle = 0; settle < settles; settle += 1) {
      for (let edit = 0; edit < EDITS_AT_ONCE; edit += 1) await sites.edit();
      const share = Math.ceil(left / (settles - settle));
      for (let kill = 0; kill < share; kill += 1) await random.pick(indexes).kill(random.integer(200, LONGEST_LIFE_MS));
      left -= share;
      for (const index of indexes) await index.settle();
    }
    return reportOf(indexes, { kills, settles, seed, embeddings });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function describeSync(report: SyncTortureReport): string {
  const { rounds, hits, settles, embedded, observations, seed, wrong } = report;
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  return `sync: ${rounds} kills (${hits} in the midst of work), ${settles} settles, ${embedded} chunks embedded, ${observations} observations: ${counts.join(', ')} (seed ${seed})`;
}

interface World {
  readonly sites: SyncSites;
  readonly embeddings: EmbeddingServer;
  readonly state: string;
}

class TorturedIndex {
  readonly wrong = {
    unequal: 0,
    missing: 0,
    'embedded twice': 0,
    'embedded for nothing': 0,
    'not embedded': 0,
    'exit codes': 0,
  };
  hits = 0;
  observations = 0;
  readonly #reader: IndexReader;
  readonly #world: World;
  /** Texts that the embedding server was asked for by this index, and whether the index had them when its sync ended. */
  readonly #asked = new Map<string, boolean>();
  /** As it was settled last. */
  #settled: ReadonlyMap<string, string> = new Map();

  constructor(reader: IndexReader, world: World) {
    this.#reader = reader;
    this.#world = world;
  }

  /** Lets a sync live so long. */
  async kill(lifeMs: number): Promise<void> {
    const code = await this.#run(lifeMs);
    if (code === 'SIGKILL') this.hits += 1;
  }

  /** Runs until the index is equal, and says where it is not. */
  async settle(): Promise<void> {
    for (let run = 0; run < MOST_RUNS; run += 1) {
      const code = await this.#run();
      if (code !== 0) this.wrong['exit codes'] += 1;
      if (isSame(await this.#reader.read(), this.#expected())) break;
    }
    const [found, expected] = [await this.#reader.read(), this.#expected()];
    if (!isSame(found, expected)) {
      this.wrong.unequal += 1;
      process.stderr.write(`${this.#reader.to}: ${difference(found, expected)}\n`);
    }
    if (this.#reader.embeds) {
      for (const text of expected.values()) if (!this.#asked.has(text)) this.wrong['not embedded'] += 1;
    }
    this.#settled = expected;
  }

  #expected(): ReadonlyMap<string, string> {
    return this.#reader.embeds ? this.#world.sites.expected() : this.#world.sites.pages();
  }

  async #run(lifeMs?: number): Promise<number | string> {
    const { sites, embeddings, state } = this.#world;
    const embed = this.#reader.embeds ? ['--embed', embeddings.url, '--embed-model', 'torture'] : [];
    const options = [
      '--once',
      '--by',
      'feed',
      '--allow-private',
      '--cooldown',
      '0',
      '--state',
      state,
      '--cache',
      `${state}-cache`,
    ];
    const main = join(projectRoot(), 'dist', 'cli', 'main.js');
    const args = [main, 'sync', ...sites.urls, '--to', this.#reader.to, ...options, ...embed];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const from = embeddings.texts.length;
    const ended = new Promise<number | string>((resolve) =>
      child.once('close', (code, by) => resolve(code ?? by ?? '?')),
    );
    const timer = lifeMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), lifeMs);
    const isOver = ended.then(() => true);
    while (!(await Promise.race([isOver, pause(LOOK_EVERY_MS, false)]))) await this.#observe();
    clearTimeout(timer);
    await this.#observe();
    await this.#count(embeddings.texts.slice(from));
    const code = await ended;
    if (code !== 0 && code !== 'SIGKILL') process.stderr.write(`${this.#reader.to}: exit ${code}\n${said}`);
    return code;
  }

  /** What was there before and is to be there afterwards is there meanwhile. */
  async #observe(): Promise<void> {
    const expected = this.#expected();
    const found = await this.#reader.read();
    this.observations += 1;
    for (const place of this.#settled.keys()) if (expected.has(place) && !found.has(place)) this.wrong.missing += 1;
  }

  /** A text is sent once, unless its sync was killed before the index had it. */
  async #count(texts: readonly string[]): Promise<void> {
    const held = new Set((await this.#reader.read()).values());
    for (const text of texts) {
      if (this.#asked.get(text)) this.wrong['embedded twice'] += 1;
      if (!this.#world.sites.texts.has(text)) this.wrong['embedded for nothing'] += 1;
    }
    for (const text of texts) this.#asked.set(text, held.has(text));
  }
}

function isSame(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): boolean {
  return found.size === expected.size && [...expected].every(([place, markdown]) => found.get(place) === markdown);
}

function difference(found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): string {
  const missing = [...expected.keys()].filter((place) => !found.has(place));
  const surplus = [...found.keys()].filter((place) => !expected.has(place));
  const other = [...expected].filter(([place, text]) => found.has(place) && found.get(place) !== text);
  const names = (places: readonly string[]) => `${places.length} (${places.slice(0, 3).join(', ')})`;
  return `missing ${names(missing)}, surplus ${names(surplus)}, other ${names(other.map(([place]) => place))}`;
}

function reportOf(
  indexes: readonly TorturedIndex[],
  { kills, settles, seed, embeddings }: { kills: number; settles: number; seed: number; embeddings: EmbeddingServer },
): SyncTortureReport {
  const wrong: Record<string, number> = {};
  for (const index of indexes)
    for (const [what, count] of Object.entries(index.wrong)) wrong[what] = (wrong[what] ?? 0) + count;
  const sum = (count: (index: TorturedIndex) => number) => indexes.reduce((total, index) => total + count(index), 0);
  return {
    name: 'sync',
    rounds: kills,
    hits: sum(({ hits }) => hits),
    wrong,
    settles,
    embedded: embeddings.texts.length,
    observations: sum(({ observations }) => observations),
    seed,
  };
}
