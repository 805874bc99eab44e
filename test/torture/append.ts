import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LogMissingError } from '../../src/errors/log-error.ts';
import { openSqliteLog } from '../../src/io/sqlite/log.ts';
import { openFileLog } from '../../src/io/state/log.ts';
import type { Log } from '../../src/log/log.ts';
import type { Change } from '../../src/model/change.ts';
import { type Child, startChild, type TortureReport } from './harness.ts';
import { addVerdicts, type Verdict, verifyLog } from './verify-log.ts';

export interface AppendTorture {
  readonly store: 'sqlite' | 'file';
  readonly rounds: number;
  readonly flaw?: 'early-ack';
}

/** So many kills does one log suffer before the next one starts from nothing. */
const ROUNDS_PER_LOG = 20;
const SITE = 'https://docs.example/';
/** Without it the line was cut, and the acknowledgement was never given. */
const FULL_STOP = ' .';
const NO_WRONG: Verdict = { lost: 0, doubled: 0, reordered: 0, changed: 0, torn: 0 };

/** Kills a writer at random moments, round after round, under the eyes of a reader that stays. */
export async function tortureAppend({ store, rounds, flaw }: AppendTorture): Promise<TortureReport> {
  let verdict = NO_WRONG;
  let hits = 0;
  for (let done = 0; done < rounds; done += ROUNDS_PER_LOG) {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-torture-'));
    const outcome = await tortureOneLog(placeIn(folder, store), Math.min(ROUNDS_PER_LOG, rounds - done), flaw);
    verdict = addVerdicts(verdict, outcome.verdict);
    hits += outcome.hits;
    await rm(folder, { recursive: true });
  }
  return { name: `append (${store})`, rounds, hits, wrong: { ...verdict } };
}

function placeIn(folder: string, store: AppendTorture['store']): string {
  return store === 'file' ? join(folder, 'log.ndjson') : folder;
}

async function tortureOneLog(place: string, rounds: number, flaw = ''): Promise<{ verdict: Verdict; hits: number }> {
  const acked: string[] = [];
  const cutOff = new Map<string, number>();
  const reader = new LiveReader(place);
  let verdict = NO_WRONG;
  for (let round = 1; round <= rounds; round += 1) {
    const child = startChild('append-child.mjs', [place, `${round}`, 'Infinity', 'random', flaw]);
    const reading = reader.readWhile(child);
    await killAtRandom(child);
    await reading;
    const started = takeStory(child.lines, acked);
    if (started !== undefined) cutOff.set(started.mark, started.size);

    const stored = await readAll(place);
    verdict = addVerdicts(verdict, verifyLog({ acked, seen: reader.seen, stored, cutOff }));
  }
  await reader.close();
  return { verdict, hits: cutOff.size };
}

/** Mostly while it appends; now and then while it starts, opens the log or mends it. */
async function killAtRandom(child: Child): Promise<void> {
  if (Math.random() < 0.1) {
    await pause(Math.random() * 150);
  } else {
    await child.waitFor('ready');
    await pause(Math.random() * 30);
  }
  child.kill();
  const ended = await child.ended;
  if (ended !== 'SIGKILL') throw new Error(`The writer ended by itself: ${ended}.`);
}

/** Adds what was acknowledged to `acked`; gives the batch that was begun and not acknowledged. */
function takeStory(lines: readonly string[], acked: string[]): { mark: string; size: number } | undefined {
  let started: { mark: string; size: number } | undefined;
  for (const line of lines) {
    const [word, mark = '', size] = line.split(' ', 3);
    if (word === 'start') started = { mark, size: Number(size) };
    if (word !== 'ack' || !line.endsWith(FULL_STOP)) continue;
    acked.push(
      ...(JSON.parse(line.slice('ack '.length, -FULL_STOP.length)) as Change[]).map((change) => JSON.stringify(change)),
    );
    started = undefined;
  }
  return started;
}

/** One handle that outlives every writer, and remembers all that it was ever given. */
class LiveReader {
  readonly seen = new Map<number, string>();
  readonly #place: string;
  #log: Log | undefined;

  constructor(place: string) {
    this.#place = place;
  }

  async readWhile(child: Child): Promise<void> {
    let alive = true;
    void child.ended.then(() => {
      alive = false;
    });
    while (alive) {
      this.#log ??= await openReader(this.#place);
      if (this.#log !== undefined) await this.#readOn(this.#log);
      await pause(1);
    }
  }

  async close(): Promise<void> {
    await this.#log?.close();
  }

  async #readOn(log: Log): Promise<void> {
    for await (const change of log.read({ after: this.seen.size })) {
      if (change.seq !== this.seen.size + 1) throw new Error(`The reader got ${change.seq} after ${this.seen.size}.`);
      this.seen.set(change.seq, JSON.stringify(change));
    }
  }
}

async function readAll(place: string): Promise<string[]> {
  const log = await openReader(place);
  if (log === undefined) return [];
  const lines: string[] = [];
  for await (const change of log.read()) lines.push(JSON.stringify(change));
  await log.close();
  return lines;
}

/** Undefined as long as no writer has got as far as making the log. */
async function openReader(place: string): Promise<Log | undefined> {
  try {
    if (place.endsWith('.ndjson')) return await openFileLog({ file: place, site: SITE, readonly: true });
    return await openSqliteLog({ folder: place, readonly: true });
  } catch (error) {
    if (error instanceof LogMissingError) return undefined;
    throw error;
  }
}
