import { setTimeout as pause } from 'node:timers/promises';
import { FAULTS, type Fault, type VirtualHost } from '../support/many-sites.ts';
import type { Random } from './hub-random.ts';
import type { World } from './hub-world.ts';

export interface UnrestOptions {
  readonly seconds: number;
  readonly editsPerSecond: number;
  /** How many sources are read by a fallback. */
  readonly degradedNow: () => Promise<number>;
}

export interface UnrestCounts {
  count: number;
  noise: number;
  outages: number;
  /** How often a source was seen as `degraded`. */
  degraded: number;
}

const TICK_MS = 20;
const LOOK_MS = 500;
/** Each host meets a fault about this often, and an outage. */
const FAULT_MS = 4000;
const LONGEST_PEACE_MS = 120;
const OUTAGE_MS = 20_000;
const SHORTEST_BREAK_MS = 500;
/** Where nothing was read from a fallback yet, or a fault has met no request, the unrest goes on. */
const LONGEST_EXTRA_MS = 15_000;
const OUTAGES: readonly Fault[] = ['status-500', 'reset', 'cut', 'pause-503'];

/** Edits and breaks what is in the world, at random, for so long or a little longer. In the end everything is well again. */
export async function stirWorld(world: World, random: Random, options: UnrestOptions): Promise<UnrestCounts> {
  const counts: UnrestCounts = { count: 0, noise: 0, outages: 0, degraded: 0 };
  const downUntil = new Map<VirtualHost, number>();
  const begun = performance.now();
  let [faults, nextFault, nextOutage, nextLook] = [0, 0, 0, 0];
  const endMs = options.seconds * 1000;
  const hasShown = () => counts.degraded > 0 && FAULTS.every((fault) => world.web.fired.has(fault));
  const isOver = (ms: number) => ms >= endMs + LONGEST_EXTRA_MS || (ms >= endMs && hasShown());
  for (let ms = 0; !isOver(ms); ms = performance.now() - begun) {
    editUpTo((ms / 1000) * options.editsPerSecond, world, random, counts);
    if (ms >= nextFault) {
      // All in turn, so that none is forgotten.
      const fault = FAULTS[faults % FAULTS.length];
      if (fault !== undefined) random.pick(world.mortal).fail(fault);
      faults += 1;
      nextFault = ms + Math.min(LONGEST_PEACE_MS, FAULT_MS / world.mortal.length);
    }
    if (ms >= nextOutage) {
      downUntil.set(takeDown(world, random, counts.outages % 2 === 0), ms + random.integer(1500, 4000));
      counts.outages += 1;
      nextOutage = ms + Math.max(SHORTEST_BREAK_MS, OUTAGE_MS / world.mortal.length);
    }
    for (const [host, until] of downUntil) {
      // The first one, of a site with a mirror, lasts until the mirror was read.
      if (until > ms || counts.degraded === 0) continue;
      host.down = undefined;
      downUntil.delete(host);
    }
    if (ms >= nextLook) {
      counts.degraded += await options.degradedNow();
      nextLook = ms + LOOK_MS;
    }
    await pause(TICK_MS);
  }
  for (const host of downUntil.keys()) host.down = undefined;
  return counts;
}

/** Where pages still wait to be read, fewer. */
export function editUpTo(
  wanted: number,
  { sites, feeds }: Pick<World, 'sites' | 'feeds'>,
  random: Random,
  counts: Pick<UnrestCounts, 'count' | 'noise'>,
): void {
  for (let tries = 0; counts.count < wanted && tries < 50; tries += 1) {
    if (random.chance(feeds.length / (sites.length + feeds.length))) {
      random.pick(feeds).publish();
      counts.count += 1;
      continue;
    }
    const edit = random.pick(sites).edit();
    if (edit === undefined) continue;
    counts.count += 1;
    if (edit === 'noise') counts.noise += 1;
  }
}

function takeDown({ mortal, mirrored }: World, random: Random, hasMirror: boolean): VirtualHost {
  const host = hasMirror && mirrored.length > 0 ? random.pick(mirrored).primary : random.pick(mortal);
  host.down = random.pick(OUTAGES);
  return host;
}
