import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningHub, startHub } from '../../src/doors/hub.ts';
import { restoreHub } from '../../src/doors/restore-hub.ts';
import { TidingsError } from '../../src/errors/tidings-error.ts';
import { backUpDatabase } from '../../src/io/sqlite/backup.ts';
import { seedRuns } from '../support/seeded-hub.ts';
import type { TortureReport } from './harness.ts';
import { LongMemory } from './restore-reader.ts';

/** What happens to a data folder while nobody looks. */
const FAULTS = ['deleted', 'emptied', 'older', 'damaged', 'folder replaced', 'folder deleted'] as const;
type Fault = (typeof FAULTS)[number];

/** So many that an Atom archive of fifty entries becomes full between a backup and its restore. */
const RUNS_PER_ROUND = 55;
/** So many rounds does one hub live through: what it served stays to be judged in all of them. */
const ROUNDS_PER_HUB = 24;

export interface RestoreReport extends TortureReport {
  /** How many archives were compared, each time. */
  readonly archives: { readonly all: number; readonly atom: number };
  /** How often each fault was seen by the hub. */
  readonly seen: Readonly<Record<string, number>>;
}

interface World {
  readonly folder: string;
  readonly data: string;
  readonly memory: LongMemory;
  readonly seen: Record<string, number>;
  /** Starts that should have been refused. */
  started: number;
  /** Backups are numbered; the newest is restored. */
  backups: number;
}

/** Loses the log of a hub in every way, brings it back, and reads on: nothing that was served may become another. */
export async function tortureRestore(rounds: number): Promise<RestoreReport> {
  const seen: Record<string, number> = Object.fromEntries(FAULTS.map((fault) => [fault, 0]));
  const wrong: Record<string, number> = { ...new LongMemory().wrong, 'started without its log': 0 };
  const archives = { all: 0, atom: 0 };
  const blame = (what: string, count: number) => {
    wrong[what] = (wrong[what] ?? 0) + count;
  };
  for (let done = 0; done < rounds; done += ROUNDS_PER_HUB) {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-restore-'));
    const memory = new LongMemory();
    const world: World = { folder, data: join(folder, 'data'), memory, seen, started: 0, backups: 0 };
    await backUp(world);
    for (let round = done; round < Math.min(rounds, done + ROUNDS_PER_HUB); round += 1) {
      await suffer(world, FAULTS[round % FAULTS.length] ?? 'deleted', round);
    }
    for (const [what, count] of Object.entries(memory.wrong)) blame(what, count);
    blame('started without its log', world.started);
    archives.all += memory.kept.archives;
    archives.atom += memory.kept.atom;
    await rm(folder, { recursive: true });
  }
  const hits = Object.values(seen).reduce((sum, count) => sum + count, 0);
  return { name: 'restore', rounds, hits, wrong, seen, archives };
}

export function describeRestore({ rounds, hits, wrong, seen, archives }: RestoreReport): string {
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of).map(([what, count]) => `${count} ${what}`);
  const kept = `${archives.all} archives, ${archives.atom} of Atom`;
  return `restore: ${rounds} rounds, ${hits} faults seen (${counts(seen).join(', ')}), ${kept}: ${counts(wrong).join(', ')}`;
}

async function suffer(world: World, fault: Fault, round: number): Promise<void> {
  const { data, memory } = world;
  await seedRuns(data, RUNS_PER_ROUND, 1 + (round % 3));
  const hub = await start(data);
  await memory.read(hub.url);
  if (fault === 'folder replaced' || fault === 'folder deleted') await loseFolder(world, hub, fault);
  else {
    await hub.close();
    await loseLog(world, fault);
  }
  await using again = await start(data);
  await memory.read(again.url);
  if (round % 3 === 0) await backUp(world);
}

/** The hub must not start; then its log is brought back. */
async function loseLog(world: World, fault: Fault): Promise<void> {
  const { data } = world;
  const file = join(data, 'tidings.db');
  if (fault === 'deleted') rmSync(file);
  else if (fault === 'emptied') truncateSync(file);
  else if (fault === 'older') cpSync(newestBackup(world), file);
  else writeFileSync(file, readFileSync(file).fill(0xff, 2 * 4096));
  try {
    await (await start(data)).close();
    world.started += 1;
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    if (!error.message.includes('tidings restore')) throw error;
    world.seen[fault] = (world.seen[fault] ?? 0) + 1;
  }
  await restoreHub(newestBackup(world), { folder: data, replace: true, now: Date.now });
}

/** The hub runs on; what lies in the place of its folder must stay as it is. The folder is put back behind it. */
async function loseFolder(world: World, hub: RunningHub, fault: Fault): Promise<void> {
  const { data, folder } = world;
  const aside = join(folder, 'aside');
  renameSync(data, aside);
  if (fault === 'folder replaced') {
    mkdirSync(data);
    cpSync(newestBackup(world), join(data, 'tidings.db'));
  }
  const { status } = await fetch(`${hub.url}healthz`);
  if (status === 503) world.seen[fault] = (world.seen[fault] ?? 0) + 1;
  await hub.close();
  if (existsSync(join(data, 'feeds'))) world.started += 1;
  rmSync(data, { recursive: true, force: true });
  renameSync(aside, data);
}

async function backUp(world: World): Promise<void> {
  const { data, folder } = world;
  if (!existsSync(data)) await seedRuns(data, 1, 2);
  world.backups += 1;
  await backUpDatabase(data, join(folder, `backup-${world.backups}.db`));
}

function newestBackup({ folder, backups }: World): string {
  return join(folder, `backup-${backups}.db`);
}

function start(data: string): Promise<RunningHub> {
  return startHub({ port: 0, data, limits: { perMinute: 5000 } }, { token: 'tdg_0123456789abcdef' });
}
