import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Endings } from '../../src/doors/endings.ts';
import type { Change } from '../../src/model/change.ts';
import { startHub, writeHubConfig } from './hub-process.ts';
import { newSeed, Random } from './hub-random.ts';
import type { HubReport } from './hub-report.ts';
import { CLIENT_ATTACKS, runClient } from './strangers-clients.ts';
import { ORIGIN_ATTACKS, type StrangerOrigin, startHonest, startHostile } from './strangers-origins.ts';

export interface StrangersOptions {
  readonly origins: number;
  readonly clients: number;
  readonly seconds: number;
  readonly intervalSeconds: number;
  /**
   * How late a look may reach its origin beyond the interval: what it takes from the start of a check to its request, which is a turn of
   * its host (`cooldownMs`) behind the one for robots.txt, and what the event loop owes to others on a machine without a free core.
   */
  readonly slackMs: number;
  /** Of which victim each client chooses; what sockets do is another thing each time. */
  readonly seed?: number;
}

/** A third of the origins attack. */
const HOSTILE_SHARE = 1 / 3;
/** An origin that is not asked for so many intervals is silenced. */
const SILENT_INTERVALS = 4;
/** Between two edits of a page, so that a check comes in between. */
const EDIT_INTERVALS = 2;
const ANSWER_MS = 20_000;
const PAGE_OF_CHANGES = 500;

/** A hub among origins and clients that try to silence, starve or confuse it. */
export async function tortureStrangers(options: StrangersOptions): Promise<HubReport> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-strangers-'));
  const endings = new Endings();
  endings.add(async () => rmSync(folder, { recursive: true, force: true }));
  try {
    return await torture(options, folder, endings);
  } finally {
    await endings.run();
  }
}

async function torture(options: StrangersOptions, folder: string, endings: Endings): Promise<HubReport> {
  const seed = options.seed ?? newSeed();
  const origins = await startOrigins(options, endings);
  const honest = origins.filter(({ attack }) => attack === undefined);
  writeHubConfig(folder, {
    cooldownMs: 50,
    concurrency: 32,
    sources: origins.map(({ source }) => source),
    limits: { perMinute: 60 },
  });
  const hub = endings.use(startHub({ folder }));
  const url = await hub.url;
  const startedMs = performance.now();
  const outcomes = new Map<string, number>();
  const stop = new AbortController();
  const clients = Array.from({ length: options.clients }, (_, index) => {
    const attack = CLIENT_ATTACKS[index % CLIENT_ATTACKS.length] ?? CLIENT_ATTACKS[0];
    const count = (outcome: string) => {
      const name = `${attack}: ${outcome}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    };
    const victims = honest.map(({ origin }) => origin);
    return runClient(attack, {
      index,
      port: Number(new URL(url).port),
      victims,
      random: new Random(seed + index),
      signal: stop.signal,
      onOutcome: count,
    });
  });
  const unanswered = await editAndAsk(honest, url, options);
  const endedMs = performance.now();
  const changes = await changesAtLast(honest, url, options);
  stop.abort();
  await Promise.all(clients);
  return judge({
    ...options,
    seed,
    origins,
    changes,
    outcomes,
    unanswered,
    startedMs,
    endedMs,
    lastLines: hub.lastLines,
  });
}

async function startOrigins(
  { origins: count, intervalSeconds }: StrangersOptions,
  endings: Endings,
): Promise<StrangerOrigin[]> {
  const hostileCount = Math.max(ORIGIN_ATTACKS.length, Math.round(count * HOSTILE_SHARE));
  const honest: StrangerOrigin[] = [];
  for (let index = 0; index < count - hostileCount; index++) {
    honest.push(endings.use(await startHonest({ index, intervalSeconds })));
  }
  const victims = honest.map(({ origin }) => origin);
  const hostile: StrangerOrigin[] = [];
  for (let index = 0; index < hostileCount; index++) {
    const attack = ORIGIN_ATTACKS[index % ORIGIN_ATTACKS.length] ?? ORIGIN_ATTACKS[0];
    hostile.push(endings.use(await startHostile(attack, { index: honest.length + index, intervalSeconds, victims })));
  }
  return [...honest, ...hostile];
}

/** Edits each honest page from time to time, with room for every edit to be seen, and asks the hub every second how it is. */
async function editAndAsk(
  honest: readonly StrangerOrigin[],
  url: string,
  { seconds, intervalSeconds }: StrangersOptions,
): Promise<readonly string[]> {
  const endsMs = performance.now() + seconds * 1000;
  const editsEndMs = endsMs - 3 * intervalSeconds * 1000;
  const editedMs = new Map<string, number>();
  const unanswered: string[] = [];
  for (let at = 0; performance.now() < endsMs; at++) {
    for (const [index, origin] of honest.entries()) {
      // Documents of strangers ask for the page as well: only the time says that the hub itself has looked.
      const waitedMs = (origin.looks.at(-1) ?? 0) - (editedMs.get(origin.id) ?? origin.looks[0] ?? performance.now());
      const isSeen = waitedMs > EDIT_INTERVALS * intervalSeconds * 1000;
      if ((at + index) % 4 !== 0 || !isSeen || performance.now() > editsEndMs) continue;
      origin.edits += 1;
      editedMs.set(origin.id, performance.now());
    }
    const trouble = await troubleOf(url);
    if (trouble !== undefined) unanswered.push(`unanswered in second ${at}: ${trouble}`);
    await pause(1000);
  }
  return unanswered;
}

/** Why a reader who means no harm gets no answer; undefined where it does. */
async function troubleOf(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(new URL('api/v1/changes?limit=1', url), { signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    return answer.ok ? undefined : String(answer.status);
  } catch (error) {
    return error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error);
  }
}

/** What the hub tells once every edit is told, or a few intervals later: the last edits may be under way. */
async function changesAtLast(
  honest: readonly StrangerOrigin[],
  url: string,
  { intervalSeconds }: StrangersOptions,
): Promise<Change[]> {
  const isTold = (changes: readonly Change[]) =>
    honest.every(({ id, edits }) => changes.filter(({ source }) => source === id).length > edits);
  for (let tries = 0; ; tries++) {
    const changes = await changesOf(url);
    if (isTold(changes) || tries === SILENT_INTERVALS) return changes;
    await pause(intervalSeconds * 1000);
  }
}

async function changesOf(url: string): Promise<Change[]> {
  const all: Change[] = [];
  for (let after = ''; ; ) {
    const answer = await fetch(new URL(`api/v1/changes?limit=${PAGE_OF_CHANGES}${after}`, url));
    const { changes, next } = (await answer.json()) as { readonly changes: readonly Change[]; readonly next: string };
    all.push(...changes);
    if (changes.length < PAGE_OF_CHANGES) return all;
    after = `&after=${next}`;
  }
}

interface Run extends StrangersOptions {
  readonly seed: number;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly unanswered: readonly string[];
  readonly changes: readonly Change[];
  readonly startedMs: number;
  readonly endedMs: number;
  readonly lastLines: readonly string[];
}

function judge(run: Omit<Run, 'origins'> & { readonly origins: readonly StrangerOrigin[] }): HubReport {
  const { origins, outcomes, changes, intervalSeconds, slackMs, startedMs, endedMs } = run;
  const intervalMs = intervalSeconds * 1000;
  const complaints: string[] = [...run.unanswered];
  const wrong = {
    silenced: 0,
    'delayed checks': 0,
    'false changes': 0,
    'lost edits': 0,
    unanswered: run.unanswered.length,
    'answered to another Host': 0,
    'readers that hold on': 0,
    'attacks that never fired': 0,
  };
  let longestGapMs = 0;
  for (const origin of origins) {
    const told = changes.filter(({ source }) => source === origin.id).length;
    const expected = origin.attack === undefined ? 1 + origin.edits : origin.attack === 'a sitemap of others' ? 1 : 0;
    if (told > expected) {
      wrong['false changes'] += told - expected;
      complaints.push(`${origin.id} (${origin.attack ?? 'honest'}): ${told} changes told, ${expected} made`);
    }
    if (origin.attack !== undefined) continue;
    if (told < expected) {
      wrong['lost edits'] += expected - told;
      complaints.push(`${origin.id}: ${told} changes told, ${expected} made`);
    }
    const moments = [startedMs, ...origin.looks, endedMs];
    const gaps = moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0));
    const longest = Math.max(...gaps);
    longestGapMs = Math.max(longestGapMs, longest);
    if (longest > SILENT_INTERVALS * intervalMs + slackMs) wrong.silenced += 1;
    // A given interval counts from the start of a check, and no jitter is added: the next look is due one interval behind the last.
    const late = gaps.filter((gap) => gap > intervalMs + slackMs).length;
    wrong['delayed checks'] += late;
    if (late > 0) complaints.push(`${origin.id}: ${late} checks late, the longest pause ${Math.round(longest)} ms`);
  }
  const firedByOrigins = ORIGIN_ATTACKS.filter((attack) =>
    origins.some((each) => each.attack === attack && each.looks.length > 0),
  );
  const firedByClients = CLIENT_ATTACKS.filter((attack) =>
    [...outcomes.keys()].some((name) => name.startsWith(attack)),
  );
  const fired = [...firedByOrigins, ...firedByClients];
  for (const attack of [...ORIGIN_ATTACKS, ...CLIENT_ATTACKS])
    if (!fired.some((each) => each === attack)) complaints.push(`never fired: ${attack}`);
  wrong['attacks that never fired'] = ORIGIN_ATTACKS.length + CLIENT_ATTACKS.length - fired.length;
  wrong['answered to another Host'] = outcomes.get('another Host: 200') ?? 0;
  wrong['readers that hold on'] = outcomes.get('answers that nobody reads: kept') ?? 0;
  const traps = origins.reduce(
    (sum, { requests }) => sum + requests.filter(({ path }) => path.startsWith('/trap')).length,
    0,
  );
  const looks = origins.reduce((sum, each) => sum + (each.attack === undefined ? each.looks.length : 0), 0);
  return {
    name: 'strangers',
    seed: run.seed,
    rounds: origins.length,
    hits: fired.length,
    wrong,
    figures: { changes: changes.length, looks, 'traps sprung': traps, ...Object.fromEntries(outcomes) },
    slowest: `${Math.round(longestGapMs)} ms between two checks of ${intervalMs} ms`,
    complaints: complaints.slice(0, 20),
  };
}
