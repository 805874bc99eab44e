import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import type { TortureReport } from './harness.ts';
import { newSeed, Random } from './hub-random.ts';
import { TorturedIndex, type Victim } from './sync-index.ts';
import { folderIndex, type IndexReader, postgresIndex, sqliteIndex } from './sync-indexes.ts';
import { type KilledServer, startSinkServer, startWatchingHub, type WatchingHub } from './sync-servers.ts';
import { openSyncSites } from './sync-sites.ts';

export interface SyncTorture {
  readonly edits: number;
  readonly kills: number;
  readonly seed?: number;
  /** All three unless said otherwise. */
  readonly indexes?: readonly IndexKind[];
}

/** Who keeps what: a folder of a hub that runs elsewhere, a file of a sync with a hub of its own, a server of a hub that runs elsewhere. */
type IndexKind = 'dir' | 'sqlite' | 'postgres';

export interface SyncTortureReport extends TortureReport {
  readonly edits: number;
  readonly settles: number;
  /** What the embedding server was asked for. */
  readonly embedded: number;
  /** Sections whose text was new, summed over the indexes that have vectors. */
  readonly changed: number;
  /** Embedded again, since somebody was killed before the index had it. */
  readonly again: number;
  readonly observations: number;
  /** Runs that could not go on, said so, and were let run again. */
  readonly waits: number;
  readonly kills: Readonly<Record<Victim, string>>;
  readonly seed: number;
}

/** Between two settles. */
const EDITS_AT_ONCE = 10;

/**
 * Edits seven sites at random, kills `tidings sync`, the hub that it reads or the server that it writes to at random moments, lets it settle, and
 * compares: a folder, an SQLite file and a PostgreSQL, while somebody reads them all the time.
 */
export async function tortureSync(options: SyncTorture): Promise<SyncTortureReport> {
  const { edits, kills, seed = newSeed(), indexes: wanted = ['dir', 'sqlite', 'postgres'] } = options;
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-sync-'));
  try {
    await using sites = await openSyncSites(random);
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, sites.ca);
    await using embeddings = await startEmbeddingServer();
    await using sink = wanted.includes('postgres') ? await startSinkServer(join(folder, 'postgres')) : undefined;
    const needsHub = wanted.some((kind) => kind !== 'sqlite');
    await using hub = needsHub ? await startWatchingHub(join(folder, 'hub'), { sites: sites.all, ca }) : undefined;
    const indexes = wanted.map((kind) => {
      const { reader, ...own } = partsOf(kind, folder, { hub, sink });
      return new TorturedIndex(reader, { sites, ca, embeddings, state: join(folder, `state-${kind}`), ...own });
    });
    const settles = Math.ceil(edits / EDITS_AT_ONCE);
    let left = kills;
    for (const index of indexes) await index.settle();
    for (let settle = 0; settle < settles; settle += 1) {
      for (let edit = 0; edit < EDITS_AT_ONCE; edit += 1) await sites.edit();
      const share = Math.ceil(left / (settles - settle));
      for (let kill = 0; kill < share; kill += 1) {
        const [index, victim] = random.pick(trials(indexes));
        await index.kill(victim, random.integer(0, 100) / 100);
      }
      left -= share;
      for (const index of indexes) await index.settle();
      if (settle % 5 === 4) process.stderr.write(`sync: ${settle + 1} of ${settles} settles\n`);
    }
    return reportOf(indexes, { edits: settles * EDITS_AT_ONCE, kills, settles, seed, embeddings });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Servers {
  readonly hub: WatchingHub | undefined;
  readonly sink: KilledServer | undefined;
}

interface IndexParts extends Partial<Servers> {
  readonly reader: IndexReader;
}

function partsOf(kind: IndexKind, folder: string, { hub, sink }: Servers): IndexParts {
  switch (kind) {
    case 'dir':
      return { reader: folderIndex(join(folder, 'mirror')), hub };
    case 'sqlite':
      return { reader: sqliteIndex(join(folder, 'index.db')) };
    case 'postgres':
      return { reader: postgresIndex(sink?.url ?? ''), hub, sink };
  }
}

/** Each way in which an index can be hit. A sink of its own has one of them only, and gets it twice. */
function trials(indexes: readonly TorturedIndex[]): readonly (readonly [TorturedIndex, Victim])[] {
  const all = indexes.flatMap((index) => index.victims.map((victim) => [index, victim] as const));
  return [...all, ...all.filter(([, victim]) => victim === 'sink')];
}

export function describeSync(report: SyncTortureReport): string {
  const { rounds, edits, hits, kills, settles, embedded, changed, again, observations, waits, seed, wrong } = report;
  const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
  const killed = Object.entries(kills).map(([victim, count]) => `${victim} ${count}`);
  return [
    `sync (seed ${seed}): ${edits} edits, ${rounds} kills (${hits} in the midst of work: ${killed.join(', ')}), ${settles} settles, ${observations} observations: ${counts.join(', ')}`,
    `  ${changed} sections changed, ${embedded} embeddings asked for, ${again} of them again behind a kill; ${waits} runs said that they could not go on and were repeated`,
  ].join('\n');
}

interface Circumstances {
  readonly edits: number;
  readonly kills: number;
  readonly settles: number;
  readonly seed: number;
  readonly embeddings: EmbeddingServer;
}

function reportOf(indexes: readonly TorturedIndex[], circumstances: Circumstances): SyncTortureReport {
  const { edits, kills, settles, seed, embeddings } = circumstances;
  const wrong: Record<string, number> = {};
  for (const index of indexes)
    for (const [what, count] of Object.entries(index.wrong)) wrong[what] = (wrong[what] ?? 0) + count;
  const sum = (count: (index: TorturedIndex) => number) => indexes.reduce((total, index) => total + count(index), 0);
  const ofVictim = (victim: Victim) => `${sum(({ hits }) => hits[victim])} of ${sum((index) => index.kills[victim])}`;
  const embedded = embeddings.texts.length;
  const [changed, again] = [sum((index) => index.changed), sum((index) => index.again)];
  return {
    name: 'sync',
    rounds: kills,
    hits: sum(({ hits }) => hits.sync + hits.hub + hits.sink),
    wrong: { ...wrong, 'embeddings uncounted': Math.abs(embedded - changed - again - (wrong['embedded twice'] ?? 0)) },
    edits,
    settles,
    embedded,
    changed,
    again,
    observations: sum(({ observations }) => observations),
    waits: sum(({ waits }) => waits),
    kills: { sync: ofVictim('sync'), hub: ofVictim('hub'), sink: ofVictim('sink') },
    seed,
  };
}
