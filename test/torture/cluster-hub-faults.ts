import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterPlace } from './cluster-hub-process.ts';
import { type ClusterHub, LEASE_SECONDS, until } from './cluster-hub-world.ts';

/** What became of the rounds of one kind of fault. */
export interface FaultReport {
  readonly name: string;
  readonly rounds: number;
  readonly hits: number;
  /** What a hit is: without any, nothing was shown. */
  readonly hitsAre: string;
  /** Every count has to be 0. */
  readonly wrong: Readonly<Record<string, number>>;
}

const LEASE_MS = LEASE_SECONDS * 1000;
const HOUR_MS = 3_600_000;
const LONGEST_CUT_MS = 60_000;
/** Whoever is let alone goes on within this. */
const GOES_ON_MS = 60_000;
/** Sources that are planned by a clock that is wrong. */
const MISPLANNED = "SELECT id FROM tidings.sources WHERE due_at > now() + interval '10 minutes'";
/** A visit has pauses between its requests, and work behind the last. */
const AMIDST_MS = 60;

/** Any process at any moment, some of them while they start; one in ten loses its copy of the hub. */
export async function killProcesses(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  let [hits, starting, notStarted] = [0, 0, 0];
  await inLanes(hub.places, rounds, async (place) => {
    if (random.chance(0.15)) {
      starting += 1;
      await pause(random.integer(50, 900));
    } else {
      if (!(await runs(place))) notStarted += 1;
      await pause(random.integer(0, 2000));
      if (random.chance(0.5)) await Promise.race([hub.world.web.nextAnswer(), pause(500)]);
      if (isAmidst(hub, place)) hits += 1;
    }
    await place.kill();
    if (random.chance(0.1)) place.wipe();
    place.start();
  });
  for (const place of hub.places) if (!(await runs(place))) notStarted += 1;
  const hitsAre = `in the midst of work, ${starting} while it started`;
  return { name: 'kill -9 of any process', rounds, hits, hitsAre, wrong: { 'not started again': notStarted } };
}

/** For three leases, then CONT: every second one in the worst place, when it is about to write what it found. One worker is left to take over. */
export async function stopProcesses(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  const refusedBefore = countRefused(hub.workers);
  let [worst, neverAgain] = [0, 0];
  await inLanes(hub.workers.slice(1), rounds, async (place) => {
    await pause(random.integer(100, 600));
    const acks = place.witness.acks();
    if (random.chance(0.5)) {
      place.signal('SIGUSR2');
      if (await until(() => place.isStopped, 5000)) worst += 1;
    }
    place.signal('SIGSTOP');
    await pause(3 * LEASE_MS);
    // One that had nothing to write before it was stopped does so now, and stops in the worst place after all.
    const isGoingOn = () => {
      place.signal('SIGCONT');
      return place.witness.acks() > acks;
    };
    if (await until(isGoingOn, GOES_ON_MS)) return;
    neverAgain += 1;
    hub.world.ledger.complain(`${place.name} writes nothing behind its stop: ${place.lastLines.join(' | ')}`);
  });
  return {
    name: 'SIGSTOP for three leases, then CONT',
    rounds,
    hits: countRefused(hub.workers) - refusedBefore,
    hitsAre: `stale writes refused, ${worst} stopped in the midst of a write`,
    wrong: { 'never went on': neverAgain },
  };
}

/** Nothing passes between it and the database, and nobody is told, for a second or a minute. One worker is left alone. */
export async function cutOffProcesses(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  let [hits, neverAgain, leaked] = [0, 0, 0];
  await inLanes(hub.places.slice(0, -1), rounds, async (place) => {
    await pause(random.integer(100, 600));
    await place.way.cut();
    const cutMs = 1000 + (LONGEST_CUT_MS - 1000) * random.fraction() ** 6;
    const passed = await silenceDuring(hub, place, cutMs);
    if (passed > cutMs / 2) hits += 1;
    else leaked += 1;
    await place.way.mend();
    if (!(await goesOn(hub, place))) neverAgain += 1;
  });
  const wrong = { 'never went on': neverAgain, 'not cut off': leaked };
  return { name: 'cut off from the database', rounds, hits, hitsAre: 'not heard of meanwhile', wrong };
}

/** At once, and it comes back after a moment. Servers are read meanwhile. */
export async function crashDatabase(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  let [reads, badReads, neverAgain] = [0, 0, 0];
  const read = async (place: ClusterPlace, path: string) => {
    const status = await fetch(new URL(path, place.url)).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      },
      () => 0,
    );
    reads += 1;
    if (status !== 200) badReads += 1;
  };
  for (let round = 0; round < rounds; round += 1) {
    await pause(random.integer(300, 2000));
    await hub.server.crash(async () => {
      const endMs = performance.now() + random.integer(0, 3000);
      do {
        for (const place of hub.servers) {
          for (const path of ['api/v1/changes?limit=10', 'diff/head.json', 'changes.atom', 'ai-changes.ndjson'])
            await read(place, path);
        }
        await pause(100);
      } while (performance.now() < endMs);
    });
    for (const place of hub.places) if (!(await goesOn(hub, place))) neverAgain += 1;
  }
  const wrong = { 'reads refused': badReads, 'never went on': neverAgain };
  return { name: 'PostgreSQL stopped at once', rounds, hits: reads, hitsAre: 'reads while it was away', wrong };
}

/** The server that makes the documents, until the other one does, and a little longer. */
export async function cutOffProjector(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  let [hits, neverTakenOver, neverAgain] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    await pause(random.integer(100, 800));
    const cut = await projectorOf(hub);
    if (cut === undefined) {
      neverTakenOver += 1;
      continue;
    }
    await cut.way.cut();
    const isTakenOver = await until(async () => ![undefined, cut].includes(await hub.projector()), GOES_ON_MS);
    if (isTakenOver) hits += 1;
    else neverTakenOver += 1;
    await pause(random.integer(0, 2000));
    await cut.way.mend();
    if (!(await goesOn(hub, cut))) neverAgain += 1;
  }
  const wrong = { 'never taken over': neverTakenOver, 'never went on': neverAgain };
  return { name: 'projector cut off beside its spare', rounds, hits, hitsAre: 'taken over by the spare', wrong };
}

async function projectorOf(hub: ClusterHub): Promise<ClusterPlace | undefined> {
  await until(async () => (await hub.projector()) !== undefined, GOES_ON_MS);
  return await hub.projector();
}

/** Processes whose clocks are an hour ahead or behind, and change with each start. */
export async function shiftClocks(hub: ClusterHub, rounds: number): Promise<FaultReport> {
  const { random } = hub;
  let [hits, neverAgain, misplanned] = [0, 0, 0];
  const restart = async (place: ClusterPlace, aheadMs: number) => {
    await place.kill();
    place.aheadMs = aheadMs;
    place.start();
    if (!(await runs(place)) || !(await goesOn(hub, place))) neverAgain += 1;
    misplanned = Math.max(misplanned, (await hub.journal.ask(MISPLANNED)).length);
  };
  await inLanes(shuffled(hub).slice(0, 3), rounds, async (place) => {
    await restart(place, random.pick([HOUR_MS, -HOUR_MS]));
    hits += 1;
    await pause(random.integer(500, 1500));
  });
  for (const place of hub.places) if (place.aheadMs !== 0) await restart(place, 0);
  return {
    name: 'clocks ±1 h',
    rounds,
    hits,
    hitsAre: 'clocks changed',
    wrong: { 'never went on': neverAgain, misplanned },
  };
}

/** Each place has its own rounds, one after another. */
async function inLanes(
  places: readonly ClusterPlace[],
  rounds: number,
  work: (place: ClusterPlace) => Promise<void>,
): Promise<void> {
  let left = rounds;
  await Promise.all(
    places.map(async (place) => {
      for (; left > 0; ) {
        left -= 1;
        await work(place);
      }
    }),
  );
}

function shuffled({ places, random }: ClusterHub): ClusterPlace[] {
  return places
    .map((place) => ({ place, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ place }) => place);
}

async function runs(place: ClusterPlace): Promise<boolean> {
  return await place.started.then(
    () => true,
    () => false,
  );
}

/** A worker writes again; a server has all that there is. */
async function goesOn(hub: ClusterHub, place: ClusterPlace): Promise<boolean> {
  const acks = place.witness.acks();
  if (place.kind === 'worker') return await until(() => place.witness.acks() > acks, GOES_ON_MS);
  return await until(async () => (await behind(hub, place)) === 0, GOES_ON_MS);
}

/** How many writes the server lacks that were there when it was asked; Infinity where it cannot say. */
async function behind(hub: ClusterHub, place: ClusterPlace): Promise<number> {
  const name = place.processName;
  const [row] = await hub.journal.ask<{ behind: number; silent: number }>(
    `SELECT (head.rev - process.rev)::float8 AS behind, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS silent
     FROM tidings.processes AS process, tidings.head AS head WHERE process.id = $1`,
    [name],
  );
  return row === undefined || row.silent > 3 ? Number.POSITIVE_INFINITY : Math.max(0, row.behind - 50);
}

/** Waits, and says for how long of it nothing was heard of the process. */
async function silenceDuring(hub: ClusterHub, { processName }: ClusterPlace, ms: number): Promise<number> {
  const since = performance.now();
  await pause(ms);
  const [row] = await hub.journal.ask<{ silent: number }>(
    'SELECT extract(epoch FROM clock_timestamp() - seen_at)::float8 * 1000 AS silent FROM tidings.processes WHERE id = $1',
    [processName],
  );
  return Math.min(row?.silent ?? 0, performance.now() - since);
}

function countRefused(places: readonly ClusterPlace[]): number {
  return places.flatMap(({ witness }) => witness.all()).filter((each) => each.is === 'refused' && each.why === 'fenced')
    .length;
}

function isAmidst({ world, ways }: ClusterHub, { way, kind }: ClusterPlace): boolean {
  const nowMs = performance.now();
  return (
    kind === 'worker' &&
    world.web.hosts.some(({ requests }) => {
      const last = requests.at(-1);
      return last !== undefined && last.endMs > nowMs - AMIDST_MS && (!ways.tellApart || last.from === way.address);
    })
  );
}
