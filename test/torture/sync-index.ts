import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddingServer } from '../support/embedding-server.ts';
import { projectRoot } from './harness.ts';
import type { IndexReader } from './sync-indexes.ts';
import type { KilledServer, WatchingHub } from './sync-servers.ts';
import type { SyncSites } from './sync-sites.ts';

/** Whom a kill -9 hits while a sync runs. */
export type Victim = 'sync' | 'hub' | 'sink';

export interface IndexWorld {
  readonly sites: SyncSites;
  /** A file with the authority of the sites. */
  readonly ca: string;
  readonly embeddings: EmbeddingServer;
  readonly state: string;
  /** Absent: the hub lives in the sync. */
  readonly hub?: WatchingHub | undefined;
  /** Absent: the sink lives in the sync. */
  readonly sink?: KilledServer | undefined;
}

/** A page of a site without a feed is gone at the second look that says so; a text that is again what it was is believed after twelve looks. */
const MOST_RUNS = 16;
const LOOK_EVERY_MS = 25;
const SHORTEST_LIFE_MS = 100;
/** A sync that cannot go on says so. */
const HONEST_ENDS = [0, 3, 'SIGKILL'];

interface OneRun {
  readonly code: number | string;
  /** The victim was killed while the sync ran. */
  readonly isHit: boolean;
}

/** One index, and all that is counted of it. */
export class TorturedIndex {
  readonly wrong = {
    unequal: 0,
    missing: 0,
    'embedded twice': 0,
    'embedded for nothing': 0,
    'not embedded': 0,
    'exit codes': 0,
  };
  readonly kills: Record<Victim, number> = { sync: 0, hub: 0, sink: 0 };
  readonly hits: Record<Victim, number> = { sync: 0, hub: 0, sink: 0 };
  observations = 0;
  /** Runs without a kill that could not go on, said so, and were let run again: on a busy machine a site answers too late. */
  waits = 0;
  /** Texts that were embedded again, since somebody was killed before the index had them. */
  again = 0;
  readonly victims: readonly Victim[];
  readonly #reader: IndexReader;
  readonly #world: IndexWorld;
  /** Texts that the embedding server was asked for by this index, and whether the index had them when its sync ended. */
  readonly #asked = new Map<string, boolean>();
  /** As it was settled last. */
  #settled: ReadonlyMap<string, string> = new Map();
  #lastRunMs = 0;

  constructor(reader: IndexReader, world: IndexWorld) {
    this.#reader = reader;
    this.#world = world;
    this.victims = ['sync', ...(world.hub ? (['hub'] as const) : []), ...(world.sink ? (['sink'] as const) : [])];
  }

  /** Sections whose text was new to this index. */
  get changed(): number {
    return this.#asked.size;
  }

  /** Lets a sync run, and kills the victim after that share of the time that the run before took. */
  async kill(victim: Victim, share: number): Promise<void> {
    const { hub, sink } = this.#world;
    const lifeMs = SHORTEST_LIFE_MS + share * this.#lastRunMs;
    // A hub that looks at its sites while it is killed, or while its reader is.
    const looking = hub?.look().catch(() => {});
    const { code, isHit } = await this.#run({ victim, lifeMs });
    this.kills[victim] += 1;
    this.hits[victim] += Number(isHit);
    if (!HONEST_ENDS.includes(code)) this.wrong['exit codes'] += 1;
    await looking;
    await hub?.revive();
    await sink?.revive();
  }

  /** Runs until the index is equal, and says where it is not. */
  async settle(): Promise<void> {
    for (let run = 0; run < MOST_RUNS; run += 1) {
      await this.#world.hub?.look();
      const { code } = await this.#run();
      if (code === 3) {
        this.waits += 1;
        continue;
      }
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

  async #run(kill?: { readonly victim: Victim; readonly lifeMs: number }): Promise<OneRun> {
    const { embeddings, hub, sink } = this.#world;
    const child = spawn(process.execPath, this.#command(), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...(hub !== undefined && { TIDINGS_TOKEN: hub.token }) },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const from = embeddings.texts.length;
    const startedAt = performance.now();
    const ended = new Promise<number | string>((resolve) =>
      child.once('close', (code, by) => resolve(code ?? by ?? '?')),
    );
    let isHit = false;
    const strike = () => {
      isHit = child.exitCode === null;
      if (kill?.victim === 'hub') hub?.kill();
      else if (kill?.victim === 'sink') sink?.kill();
      else child.kill('SIGKILL');
    };
    const timer = kill === undefined ? undefined : setTimeout(strike, kill.lifeMs);
    const isOver = ended.then(() => true);
    while (!(await Promise.race([isOver, pause(LOOK_EVERY_MS, false)]))) await this.#observe();
    clearTimeout(timer);
    await sink?.revive();
    await this.#observe();
    await this.#count(embeddings.texts.slice(from));
    const code = await ended;
    if (code === 0) this.#lastRunMs = performance.now() - startedAt;
    if (kill === undefined ? code !== 0 : !HONEST_ENDS.includes(code)) {
      process.stderr.write(`${this.#reader.to}: exit ${code}\n${said}`);
    }
    return { code, isHit };
  }

  #command(): readonly string[] {
    const { sites, ca, embeddings, state, hub } = this.#world;
    const main = process.env.TIDINGS_TORTURE_MAIN ?? join(projectRoot(), 'dist', 'cli', 'main.js');
    const urls = sites.all.map(({ url }) => url);
    const from = hub === undefined ? [...urls, '--by', 'feed'] : [...urls, '--hub', hub.url];
    const embed = this.#reader.embeds ? ['--embed', embeddings.url, '--embed-model', 'torture'] : [];
    const places = ['--state', state, '--cache', `${state}-cache`, '--ca', ca];
    return [
      main,
      'sync',
      ...from,
      '--to',
      this.#reader.to,
      '--once',
      '--allow-private',
      '--cooldown',
      '0',
      ...places,
      ...embed,
    ];
  }

  /** What was there before and is to be there afterwards is there meanwhile. */
  async #observe(): Promise<void> {
    const expected = this.#expected();
    const found = await this.#reader.read().catch(() => undefined);
    // While a database is down nobody can look.
    if (found === undefined) return;
    this.observations += 1;
    for (const place of this.#settled.keys()) if (expected.has(place) && !found.has(place)) this.wrong.missing += 1;
  }

  /** A text is sent once, unless somebody was killed before the index had it. */
  async #count(texts: readonly string[]): Promise<void> {
    const held = new Set((await this.#reader.read()).values());
    for (const text of texts) {
      if (this.#asked.get(text)) this.wrong['embedded twice'] += 1;
      else if (this.#asked.has(text)) this.again += 1;
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
