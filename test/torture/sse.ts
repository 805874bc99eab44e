import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { restoreHub } from '../../src/doors/restore-hub.ts';
import { backUpDatabase } from '../../src/io/sqlite/backup.ts';
import type { Change } from '../../src/model/change.ts';
import { openEventsLab } from '../support/events-lab.ts';
import type { TortureReport } from './harness.ts';
import { Random } from './hub-random.ts';
import { CutStream } from './sse-reader.ts';

type Lab = Awaited<ReturnType<typeof openEventsLab>>;

const SOURCES = ['docs', 'blog', 'shop'];
const ACTIONS = ['create', 'update', 'delete'] as const;
/** What the readers ask for, and what fits that. */
const WISHES: readonly (readonly [string, (change: Change) => boolean])[] = [
  ['', () => true],
  ['', () => true],
  ['', () => true],
  ['', () => true],
  ['/docs', ({ source }) => source === 'docs'],
  ['?source=blog,shop', ({ source }) => source !== 'docs'],
  ['?action=delete', ({ action }) => action === 'delete'],
  ['?path=/guide/**', ({ url }) => url.includes('/guide/')],
];
/** So few changes are kept in memory that readers also come back to what is not. */
const KEPT_EVENTS = 60;
const PATIENCE_MS = 60_000;

/**
 * Readers whose connections are cut at random while changes are appended, the server is started anew now and then, and a backup is restored in the
 * middle. In the end each must have every change that concerns it, once and in order, and have been told of the restored backup once.
 */
export async function tortureSse({ rounds, seed }: { rounds: number; seed: number }): Promise<TortureReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-sse-'));
  const world = new World(folder, new Random(seed));
  try {
    await world.begin();
    for (let round = 0; round < rounds; round += 1) {
      if (round === Math.floor(rounds / 3)) await world.backUp();
      if (round === Math.floor(rounds / 2)) await world.restore();
      await world.round();
    }
    await world.settle();
    return { name: `sse cuts (${seed})`, rounds, hits: world.hits, wrong: world.judge() };
  } finally {
    await world.end();
    await rm(folder, { recursive: true, force: true });
  }
}

class World {
  hits = 0;
  readonly #folder: string;
  readonly #random: Random;
  readonly #readers: CutStream[] = [];
  #lab: Lab | undefined;
  /** What the log holds now. */
  #log: Change[] = [];
  #backedUp = 0;

  constructor(folder: string, random: Random) {
    this.#folder = folder;
    this.#random = random;
  }

  async begin(): Promise<void> {
    await this.#open();
    for (const source of SOURCES) await this.#append(1, source);
    for (const [query, isWanted] of WISHES) {
      const reader = new CutStream(query, isWanted);
      reader.connect(this.#url);
      this.#readers.push(reader);
      await reader.isPlaced();
    }
  }

  /** One reader is cut while something is appended, and comes back. */
  async round(): Promise<void> {
    const random = this.#random;
    if (random.chance(0.02)) await this.#restart();
    const reader = random.pick(this.#readers);
    const count = random.chance(0.02) ? random.integer(101, 260) : random.integer(1, 9);
    const appending = this.#append(count, random.pick(SOURCES));
    await reader.cut(random);
    if (random.chance(0.1)) await this.#lab?.streams.beat();
    if (random.chance(0.5)) reader.connect(this.#url);
    await appending;
    if (reader.misses(this.#log) > 0) this.hits += 1;
    if (!reader.isConnected) reader.connect(this.#url);
  }

  async backUp(): Promise<void> {
    this.#backedUp = this.#log.length;
    await backUpDatabase(this.#data, join(this.#folder, 'backup.db'));
  }

  /** What was appended behind the backup is gone; new changes take its numbers. */
  async restore(): Promise<void> {
    await this.#lab?.close();
    for (const reader of this.#readers) await reader.disconnect();
    await restoreHub(join(this.#folder, 'backup.db'), { folder: this.#data, replace: true, now: Date.now });
    this.#log = this.#log.slice(0, this.#backedUp);
    for (const reader of this.#readers) reader.expectRestored(this.#log);
    await this.#open();
    for (const reader of this.#readers) reader.connect(this.#url);
  }

  /** Until nobody misses anything, or for as long as nobody would wait. */
  async settle(): Promise<void> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (const reader of this.#readers) {
      while (reader.misses(this.#log) > 0 && Date.now() < giveUpAt) await pause(5);
    }
  }

  judge(): TortureReport['wrong'] {
    const judged = this.#readers.map((reader) => reader.judge(this.#log));
    const count = (what: keyof (typeof judged)[number]) => judged.reduce((sum, one) => sum + one[what], 0);
    return {
      gaps: count('gaps'),
      doubles: count('doubles'),
      'out of order': count('disorder'),
      'readers without exactly one resync': count('resyncs'),
      'streams that failed': this.#lab?.problems.length ?? 0,
    };
  }

  async end(): Promise<void> {
    for (const reader of this.#readers) await reader.disconnect();
    await this.#lab?.close();
  }

  get #url(): string {
    return `${this.#lab?.url}events`;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  async #open(): Promise<void> {
    const limits = { connectionsPerClient: 0 };
    this.#lab = await openEventsLab({ folder: this.#data, keptEvents: KEPT_EVENTS, limits });
  }

  /** The readers find out by themselves. */
  async #restart(): Promise<void> {
    await this.#lab?.close();
    await this.#open();
    for (const reader of this.#readers) {
      await reader.disconnect();
      reader.connect(this.#url);
    }
  }

  async #append(count: number, source: string): Promise<void> {
    const place = this.#random.pick(['guide', 'news']);
    const action = this.#random.pick(ACTIONS);
    const url = `https://${source}.example/${place}/${this.#log.length}`;
    this.#log.push(...((await this.#lab?.commit(count, source, { action, url })) ?? []));
  }
}
