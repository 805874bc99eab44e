import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { ClusterAudience } from './cluster-hub-audience.ts';
import { JournalWatcher } from './cluster-hub-journal.ts';
import { ClusterPlace } from './cluster-hub-process.ts';
import { chooseWays, type Ways } from './cluster-hub-ways.ts';
import type { Random } from './hub-random.ts';
import { editUpTo } from './hub-unrest.ts';
import { openWorld, type SiteKind, type World } from './hub-world.ts';

export interface ClusterHubOptions {
  /** The folder of a PostgreSQL. */
  readonly bin: string;
  readonly random: Random;
  readonly sites: number;
  readonly workers: number;
  readonly editsPerSecond: number;
  readonly intervalSeconds: number;
  readonly flaw?: string | undefined;
}

export const LEASE_SECONDS = 2;
/** Between two requests to a host. */
export const COOLDOWN_MS = 250;
const SERVERS = 2;
/** Those that tell their changes themselves are the cheapest to look at; the others are asked page by page, and in turns. */
const KINDS: readonly SiteKind[] = ['feed', 'feed', 'pages', 'feed', 'feed', 'site', 'feed', 'feed', 'feed', 'feed'];
const EDIT_TICK_MS = 50;
/** Each site is read once before anything is done to it. */
const FIRST_READ_MS = 180_000;

/** A hub in several processes, the sites that it watches, and all who read it. */
export class ClusterHub implements AsyncDisposable {
  readonly server: PostgresServer;
  readonly ways: Ways;
  readonly world: World;
  readonly audience: ClusterAudience;
  readonly journal: JournalWatcher;
  readonly servers: readonly ClusterPlace[];
  readonly workers: readonly ClusterPlace[];
  readonly random: Random;
  readonly #folder: string;
  readonly #edits = { count: 0, noise: 0 };
  #editing: NodeJS.Timeout | undefined;

  private constructor(
    parts: Pick<ClusterHub, 'server' | 'ways' | 'world' | 'random'> & { folder: string; places: ClusterPlace[] },
  ) {
    const { places, world, random } = parts;
    this.server = parts.server;
    this.ways = parts.ways;
    this.world = world;
    this.random = random;
    this.#folder = parts.folder;
    this.servers = places.filter(({ kind }) => kind === 'serve');
    this.workers = places.filter(({ kind }) => kind === 'worker');
    this.journal = new JournalWatcher(parts.server.url);
    const { ledger, sources } = world;
    this.audience = new ClusterAudience({
      servers: this.servers.length,
      sources,
      random,
      onChange: (change) => ledger.see(change),
      complain: (line) => ledger.complain(line),
    });
    // A torture that fails leaves nobody behind.
    process.once('exit', () => {
      for (const place of places) place.signal('SIGKILL');
    });
    for (const [index, place] of this.servers.entries()) place.onUrl = (url) => this.audience.at(index, url);
  }

  static async open(options: ClusterHubOptions): Promise<ClusterHub> {
    const { bin, random, sites, workers, intervalSeconds, flaw } = options;
    const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-cluster-'));
    const ways = chooseWays();
    const server = await startPostgres(bin, { peers: ways.peers });
    const opened = await ways.open(Number(new URL(server.url).port), SERVERS + workers);
    const { network } = ways;
    const shape = { kinds: KINDS, sitesPerFolder: Number.POSITIVE_INFINITY, intervalSeconds, isSteady: true, network };
    const world = await openWorld({ sites, random, folder, ...shape });
    const settings = {
      baseUrl: 'http://hub.example/',
      cooldownMs: COOLDOWN_MS,
      leaseSeconds: LEASE_SECONDS,
      honestyPages: 0,
      concurrency: 8,
      connectionsPerClient: 0,
      limits: { perMinute: 10_000_000 },
      allowPrivate: true,
      sources: world.sources,
    };
    const places = opened.map((way, index) => {
      const kind = index < SERVERS ? ('serve' as const) : ('worker' as const);
      const name = index < SERVERS ? `server ${index}` : `worker ${index - SERVERS}`;
      const options = { name, kind, way, settings, database: server.url, folder: join(folder, `place-${index}`) };
      return new ClusterPlace({ ...options, flaw: kind === 'serve' ? flaw : undefined });
    });
    const hub = new ClusterHub({ server, ways, world, random, folder, places });
    try {
      await hub.#begin(options.editsPerSecond);
      return hub;
    } catch (error) {
      await hub[Symbol.asyncDispose]();
      throw error;
    }
  }

  get places(): readonly ClusterPlace[] {
    return [...this.servers, ...this.workers];
  }

  get edits(): number {
    return this.#edits.count;
  }

  /** Nothing is edited any more. */
  rest(): void {
    clearInterval(this.#editing);
  }

  /** The server that makes the documents now, as the database knows it. */
  async projector(): Promise<ClusterPlace | undefined> {
    const [role] = await this.journal.ask<{ holder: string | null }>(
      "SELECT holder FROM tidings.roles WHERE name = 'projector' AND until > clock_timestamp()",
    );
    return this.servers.find(({ processName }) => processName !== undefined && processName === role?.holder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.rest();
    for (const place of this.places) place.signal('SIGCONT');
    await Promise.all(this.places.map((place) => place.kill()));
    await this.journal[Symbol.asyncDispose]();
    await this.world[Symbol.asyncDispose]();
    await this.ways[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(editsPerSecond: number): Promise<void> {
    const [first, ...others] = this.places;
    first?.start();
    await first?.started;
    this.journal.start();
    for (const place of others) place.start();
    await Promise.all(others.map(({ started }) => started));
    const { ledger, sources } = this.world;
    const isRead = () => ledger.told >= sources.length && ledger.open === 0;
    if (!(await until(isRead, FIRST_READ_MS))) throw new Error(`Not all sites were read: ${ledger.open} are left.`);
    this.audience.begin();
    const begun = performance.now();
    this.#editing = setInterval(() => {
      editUpTo(((performance.now() - begun) / 1000) * editsPerSecond, this.world, this.random, this.#edits);
    }, EDIT_TICK_MS);
  }
}

/** Until it is so; false when that takes too long. */
export async function until(isSo: () => boolean | Promise<boolean>, maxMs: number): Promise<boolean> {
  const endMs = performance.now() + maxMs;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > endMs) return false;
    await pause(50);
  }
}
