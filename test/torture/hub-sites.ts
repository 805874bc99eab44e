import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FAULTS } from '../support/many-sites.ts';
import { gatherAudience, settled } from './hub-audience.ts';
import { startHub, writeHubConfig } from './hub-process.ts';
import { newSeed, Random } from './hub-random.ts';
import { healthOf, type Reading, unwellOf } from './hub-readers.ts';
import type { HubReport } from './hub-report.ts';
import { addTurns, judgeTurns, longestSilenceMs } from './hub-turns.ts';
import { stirWorld } from './hub-unrest.ts';
import { openWorld, type World } from './hub-world.ts';

export interface SitesTorture {
  readonly sites: number;
  /** How long the sites are edited and broken. */
  readonly seconds: number;
  readonly editsPerSecond: number;
  readonly seed?: number;
}

const COOLDOWN_MS = 20;
/** For all that was edited last to be told. */
const SETTLE_MS = 240_000;
/** After that, so long nothing may be told. */
const QUIET_MS = 1500;
/** By then each source was checked since the last fault. */
const WELL_MS = 240_000;
/** A hub stops within this. */
const STOP_MS = 240_000;

/** Many sites that change and fail at random, one hub that watches them, and readers who must hear of each change once. */
export async function tortureSites(options: SitesTorture): Promise<HubReport> {
  const random = new Random(options.seed ?? newSeed());
  const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-hub-'));
  try {
    await using world = await openWorld({ sites: options.sites, random, folder });
    return await watchWorld(world, random, { ...options, folder });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function watchWorld(
  world: World,
  random: Random,
  { folder, seconds, editsPerSecond, sites }: SitesTorture & { readonly folder: string },
): Promise<HubReport> {
  const { ledger, web } = world;
  writeHubConfig(folder, { cooldownMs: COOLDOWN_MS, sources: world.sources });
  await using hub = startHub({ folder });
  using audience = gatherAudience(world, new Random(random.seed + 1));
  const { reading } = audience;
  reading.hub = await hub.url;
  const wrong = { unsettled: 0, feedsDiffer: 0, badStop: 0, faultsNotMet: 0, neverDegraded: 0, neverWell: 0 };

  if (!(await settled(world, SETTLE_MS))) wrong.unsettled += 1;
  const edits = await stirWorld(world, random, {
    seconds,
    editsPerSecond,
    degradedNow: async () => (await healthOf(reading)).degraded ?? 0,
  });
  if (!(await settled(world, SETTLE_MS))) wrong.unsettled += 1;
  await pause(QUIET_MS);

  const unwell = await stillUnwell(reading);
  wrong.neverWell = unwell.length;
  for (const line of unwell) reading.complain(`not well: ${line}`);
  if (edits.degraded === 0) wrong.neverDegraded += 1;
  await audience.finish();
  wrong.feedsDiffer = audience.countDifferences();
  const stop = await hub.stop();
  if (stop.ended !== 0 || stop.ms > STOP_MS) wrong.badStop += 1;
  if (stop.ended !== 0) reading.complain(`the hub ended with ${stop.ended}: ${hub.lastLines.join('\n')}`);
  ledger.close();

  const unmet = FAULTS.filter((fault) => !web.fired.has(fault));
  wrong.faultsNotMet = unmet.length;
  for (const fault of unmet) reading.complain(`the fault ${fault} never met a request`);
  const turns = addTurns(web.hosts.map(({ requests }) => judgeTurns(requests, COOLDOWN_MS)));
  for (const line of turns.complaints) reading.complain(line);
  const delays = ledger.delaysMs.toSorted((a, b) => a - b);
  return {
    name: `hub with ${sites} sites`,
    seed: random.seed,
    rounds: edits.count,
    hits: sum([...web.fired.values()]),
    wrong: { ...ledger.wrong, ...reading.wrong, ...wrong, atOnce: turns.atOnce, tooSoon: turns.tooSoon },
    figures: {
      realChanges: ledger.real,
      told: ledger.told,
      runsWalked: audience.runs.runs,
      merged: ledger.merged,
      noise: edits.noise,
      outages: edits.outages,
      fallbackRequests: sum(world.mirrored.map(({ mirror }) => mirror.requests.length)),
      originRequests: turns.requests,
      longestSilenceMs: Math.round(Math.max(...world.mortal.map(({ requests }) => longestSilenceMs(requests)))),
      shortestPauseMs: Math.round(turns.shortestMs),
      readerAnswers: sum([...reading.answers.values()]),
      notModified: reading.answers.get(304) ?? 0,
      ranges: reading.answers.get(206) ?? 0,
      medianDelayMs: Math.round(delays[Math.floor(delays.length / 2)] ?? 0),
      longestDelayMs: Math.round(delays.at(-1) ?? 0),
      stopMs: Math.round(stop.ms),
    },
    slowest: ledger.slowest,
    complaints: ledger.complaints,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Those that are not well although nothing ails them any more. */
async function stillUnwell(reading: Reading): Promise<readonly string[]> {
  const endMs = Date.now() + WELL_MS;
  for (;;) {
    const unwell = await unwellOf(reading);
    if (unwell.length === 0 || Date.now() > endMs) return unwell;
    await pause(250);
  }
}
