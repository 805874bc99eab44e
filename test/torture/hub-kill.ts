import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ManySites, SeenRequest } from '../support/many-sites.ts';
import { type Audience, gatherAudience, settled } from './hub-audience.ts';
import { type HubProcess, startHub, writeHubConfig } from './hub-process.ts';
import { newSeed, Random } from './hub-random.ts';
import type { HubReport } from './hub-report.ts';
import { addTurns, judgeTurns } from './hub-turns.ts';
import { editUpTo } from './hub-unrest.ts';
import { openWorld, type World } from './hub-world.ts';

export interface KillTorture {
  readonly rounds: number;
  /** A hub that listens lives no longer than this. */
  readonly maxLifeMs: number;
  readonly seed?: number;
}

const SITES = 10;
const IDLE = 5;
const COOLDOWN_MS = 20;
const EDITS_PER_SECOND = 12;
/** A hub that starts again goes on at once: what its last life had begun is not waited for. */
const SETTLE_MS = 20_000;
const QUIET_MS = 1500;
const STOP_MS = 10_000;
/** A check is written down a moment after it ended. */
const RECORDED_MS = 1500;
/** A visit has pauses between its requests, and work behind the last. */
const AMIDST_MS = COOLDOWN_MS + 10;

/** Kills a hub at random moments, round after round, while its sites change and its readers read on. */
export async function tortureKill({ rounds, maxLifeMs, seed = newSeed() }: KillTorture): Promise<HubReport> {
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-kill-'));
  try {
    await using world = await openWorld({ sites: SITES, idle: IDLE, random, folder });
    writeHubConfig(folder, { cooldownMs: COOLDOWN_MS, sources: world.sources });
    const audience = gatherAudience(world, new Random(seed + 1), { mayBreak: true });
    const editing = new AbortController();
    const edited = editUntil(editing.signal, world, random);
    const kills: Kills = { whileStarting: 0, amidst: 0, atMs: [] };
    const wrong = { endedByItself: 0, unsettled: 0, feedsDiffer: 0, badStop: 0, refetched: 0 };

    for (let round = 1; round <= rounds; round += 1) {
      const hub = startHub({ folder });
      await killAtRandom(hub, { audience, web: world.web, random, maxLifeMs, kills });
      if ((await hub.ended) === 'SIGKILL') continue;
      wrong.endedByItself += 1;
      audience.reading.complain(`round ${round}: the hub ended with ${await hub.ended}: ${hub.lastLines.join('\n')}`);
    }
    editing.abort();
    const edits = await edited;
    const told = audience.cursor.changes.length;

    // One life that nobody disturbs completes whatever was left behind.
    const hub = startHub({ folder });
    audience.reading.hub = await hub.url;
    audience.reading.mayBreak = false;
    if (!(await settled(world, SETTLE_MS))) wrong.unsettled += 1;
    await pause(QUIET_MS);
    await audience.finish();
    wrong.feedsDiffer = audience.countDifferences();
    const stop = await hub.stop();
    if (stop.ended !== 0 || stop.ms > STOP_MS) wrong.badStop += 1;
    world.ledger.close();

    const idleReads = world.idleHosts.map(({ requests }) => requests.filter(({ of }) => of === 'turn'));
    for (const reads of idleReads) wrong.refetched += countNeedless(reads, kills.atMs);
    const turns = addTurns(world.web.hosts.map(({ requests }) => judgeTurns(requests, COOLDOWN_MS)));
    for (const line of turns.complaints) audience.reading.complain(line);
    const { ledger } = world;
    return {
      name: 'hub, killed',
      seed,
      rounds,
      hits: kills.amidst,
      wrong: { ...ledger.wrong, ...audience.reading.wrong, ...wrong, atOnce: turns.atOnce, tooSoon: turns.tooSoon },
      figures: {
        edits,
        realChanges: ledger.real,
        told: ledger.told,
        toldWhileKilled: told,
        merged: ledger.merged,
        killsWhileStarting: kills.whileStarting,
        idleReads: idleReads.flat().length,
        originRequests: turns.requests,
        shortestPauseMs: Math.round(turns.shortestMs),
        stopMs: Math.round(stop.ms),
      },
      slowest: ledger.slowest,
      complaints: ledger.complaints,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Kills {
  whileStarting: number;
  /** While a visit was under way. */
  amidst: number;
  readonly atMs: number[];
}

interface Killing {
  readonly audience: Audience;
  readonly web: ManySites;
  readonly random: Random;
  readonly maxLifeMs: number;
  readonly kills: Kills;
}

/** Mostly while it listens, of those every second time just behind an answer of a site, when there is something to store. */
async function killAtRandom(hub: HubProcess, { audience, web, random, maxLifeMs, kills }: Killing): Promise<void> {
  const { reading } = audience;
  if (random.chance(0.2)) {
    await Promise.race([pause(random.integer(20, 600)), hub.ended]);
    kills.whileStarting += 1;
  } else {
    const url = await Promise.race([hub.url.catch(() => undefined), hub.ended.then(() => undefined)]);
    reading.hub = url;
    await Promise.race([pause(random.integer(0, maxLifeMs)), hub.ended]);
    if (random.chance(0.5)) {
      await Promise.race([web.nextAnswer(), pause(maxLifeMs), hub.ended]);
      await pause(random.integer(0, 15));
    }
    if (isAmidst(web)) kills.amidst += 1;
  }
  kills.atMs.push(performance.now());
  hub.kill();
  await hub.ended;
  reading.hub = undefined;
}

/** Of a source that is due once an hour: it is read again only where a kill came before the last reading was written down. */
export function countNeedless(reads: readonly SeenRequest[], killsAtMs: readonly number[]): number {
  const isExcused = ({ startMs, endMs }: SeenRequest) =>
    killsAtMs.some((killMs) => killMs >= startMs && killMs < endMs + RECORDED_MS);
  return reads.slice(0, -1).filter((read) => !isExcused(read)).length;
}

function isAmidst({ hosts }: ManySites): boolean {
  const nowMs = performance.now();
  return hosts.some(({ requests }) => (requests.at(-1)?.endMs ?? 0) > nowMs - AMIDST_MS);
}

async function editUntil(signal: AbortSignal, world: World, random: Random): Promise<number> {
  const counts = { count: 0, noise: 0 };
  const begun = performance.now();
  while (!signal.aborted) {
    editUpTo(((performance.now() - begun) / 1000) * EDITS_PER_SECOND, world, random, counts);
    await pause(20);
  }
  return counts.count;
}
