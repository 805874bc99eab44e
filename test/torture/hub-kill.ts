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
  /** Sites that change; 10 unless said otherwise. */
  readonly sites?: number;
  /** Sources that are due once an hour; 5 unless said otherwise. */
  readonly idle?: number;
  /** How long after its end a check is written down at the latest. More where other work keeps the machine busy. */
  readonly recordedMs?: number;
}

const COOLDOWN_MS = 20;
const EDITS_PER_SECOND = 12;
const EDIT_TICK_MS = 20;
/** A hub that starts again goes on at once: what its last life had begun is not waited for. */
const SETTLE_MS = 240_000;
const QUIET_MS = 1500;
const STOP_MS = 240_000;
/** A check is written down a moment after it ended. */
const RECORDED_MS = 1500;
/** A visit has pauses between its requests, and work behind the last. */
const AMIDST_MS = COOLDOWN_MS + 10;

/** Kills a hub at random moments, round after round, while its sites change and its readers read on. */
export async function tortureKill({
  rounds,
  maxLifeMs,
  seed = newSeed(),
  sites = 10,
  idle = 5,
  recordedMs,
}: KillTorture): Promise<HubReport> {
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-kill-'));
  try {
    await using world = await openWorld({ sites, idle, random, folder });
    writeHubConfig(folder, { cooldownMs: COOLDOWN_MS, sources: world.sources });
    using audience = gatherAudience(world, new Random(seed + 1), { mayBreak: true });
    using editing = editWithoutEnd(world, random);
    const kills: Kills = { whileStarting: 0, amidst: 0, endedByItself: 0, atMs: [] };
    for (let round = 1; round <= rounds; round += 1) {
      await using hub = startHub({ folder });
      await killAtRandom(hub, { audience, web: world.web, random, maxLifeMs, kills });
    }
    editing[Symbol.dispose]();
    const toldWhileKilled = audience.cursor.changes.length;
    const { stopMs, ...wrong } = await liveOnce(folder, world, audience);

    const idleReads = world.idleHosts.map(({ requests }) => requests.filter(({ of }) => of === 'turn'));
    const refetched = idleReads.reduce((total, reads) => total + countNeedless(reads, kills.atMs, recordedMs), 0);
    const turns = addTurns(world.web.hosts.map(({ requests }) => judgeTurns(requests, COOLDOWN_MS)));
    for (const line of turns.complaints) audience.reading.complain(line);
    const { endedByItself, whileStarting } = kills;
    const { ledger } = world;
    return {
      name: 'hub, killed',
      seed,
      rounds,
      hits: kills.amidst,
      wrong: {
        ...ledger.wrong,
        ...audience.reading.wrong,
        ...wrong,
        endedByItself,
        refetched,
        atOnce: turns.atOnce,
        tooSoon: turns.tooSoon,
      },
      figures: {
        edits: editing.counts.count,
        realChanges: ledger.real,
        told: ledger.told,
        runsWalked: audience.runs.runs,
        toldWhileKilled,
        merged: ledger.merged,
        killsWhileStarting: whileStarting,
        idleReads: idleReads.flat().length,
        originRequests: turns.requests,
        shortestPauseMs: Math.round(turns.shortestMs),
        stopMs,
      },
      slowest: ledger.slowest,
      complaints: ledger.complaints,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A life that nobody disturbs completes whatever was left behind. */
async function liveOnce(
  folder: string,
  world: World,
  audience: Audience,
): Promise<Record<LastWrong | 'stopMs', number>> {
  await using hub = startHub({ folder });
  audience.reading.hub = await hub.url;
  audience.reading.mayBreak = false;
  const unsettled = (await settled(world, SETTLE_MS)) ? 0 : 1;
  await pause(QUIET_MS);
  await audience.finish();
  const feedsDiffer = audience.countDifferences();
  const stop = await hub.stop();
  world.ledger.close();
  const badStop = stop.ended !== 0 || stop.ms > STOP_MS ? 1 : 0;
  if (badStop > 0) audience.reading.complain(`the hub ended with ${stop.ended}: ${hub.lastLines.join('\n')}`);
  return { unsettled, feedsDiffer, badStop, stopMs: Math.round(stop.ms) };
}

type LastWrong = 'unsettled' | 'feedsDiffer' | 'badStop';

interface Kills {
  whileStarting: number;
  /** While a visit was under way. */
  amidst: number;
  endedByItself: number;
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
  const ended = await hub.ended;
  reading.hub = undefined;
  if (ended === 'SIGKILL') return;
  kills.endedByItself += 1;
  reading.complain(`a hub ended by itself with ${ended}: ${hub.lastLines.join('\n')}`);
}

/** Of a source that is due once an hour: it is read again only where a kill came before the last reading was written down. */
export function countNeedless(
  reads: readonly SeenRequest[],
  killsAtMs: readonly number[],
  recordedMs = RECORDED_MS,
): number {
  const isExcused = ({ startMs, endMs }: SeenRequest) =>
    killsAtMs.some((killMs) => killMs >= startMs && killMs < endMs + recordedMs);
  return reads.slice(0, -1).filter((read) => !isExcused(read)).length;
}

function isAmidst({ hosts }: ManySites): boolean {
  const nowMs = performance.now();
  return hosts.some(({ requests }) => (requests.at(-1)?.endMs ?? 0) > nowMs - AMIDST_MS);
}

interface Editing extends Disposable {
  readonly counts: { readonly count: number };
}

/** Until it is disposed of. */
function editWithoutEnd(world: World, random: Random): Editing {
  const counts = { count: 0, noise: 0 };
  const begun = performance.now();
  const timer = setInterval(
    () => editUpTo(((performance.now() - begun) / 1000) * EDITS_PER_SECOND, world, random, counts),
    EDIT_TICK_MS,
  );
  return { counts, [Symbol.dispose]: () => clearInterval(timer) };
}
