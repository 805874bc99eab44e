import type { SeenRequest } from '../support/many-sites.ts';

export interface TurnsWrong {
  /** Requests that began while another one of the same host was being answered. */
  atOnce: number;
  /** Requests that came sooner behind the one before than the pause. */
  tooSoon: number;
}

export interface TurnsVerdict extends TurnsWrong {
  readonly requests: number;
  readonly shortestMs: number;
  /** One line for each that was wrong. */
  readonly complaints: readonly string[];
}

/** Clocks that count whole milliseconds, on both sides of the pause. */
const TOLERANCE_MS = 3;

/** Whether the pages and sitemaps of one host were asked for one at a time, each a pause behind the end of the one before. */
export function judgeTurns(requests: readonly SeenRequest[], cooldownMs: number): TurnsVerdict {
  const turns = requests.filter(({ of }) => of === 'turn').toSorted((a, b) => a.startMs - b.startMs);
  let [atOnce, tooSoon, shortestMs] = [0, 0, Number.POSITIVE_INFINITY];
  const complaints: string[] = [];
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const [index, { path, startMs, endMs }] of turns.entries()) {
    const gapMs = startMs - lastEndMs;
    if (gapMs < 0) atOnce += 1;
    else if (gapMs < cooldownMs - TOLERANCE_MS) tooSoon += 1;
    if (gapMs < cooldownMs - TOLERANCE_MS) {
      const last = turns[index - 1];
      complaints.push(
        `${path} came ${gapMs.toFixed(1)} ms behind ${last?.path} (${last?.status}, by fault: ${last?.fault})`,
      );
    }
    shortestMs = Math.min(shortestMs, gapMs);
    lastEndMs = Math.max(lastEndMs, endMs);
  }
  return { requests: turns.length, atOnce, tooSoon, shortestMs, complaints };
}

export function addTurns(verdicts: readonly TurnsVerdict[]): TurnsVerdict {
  const sum = (pick: (verdict: TurnsVerdict) => number) => verdicts.reduce((total, each) => total + pick(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    atOnce: sum(({ atOnce }) => atOnce),
    tooSoon: sum(({ tooSoon }) => tooSoon),
    shortestMs: Math.min(...verdicts.map(({ shortestMs }) => shortestMs)),
    complaints: verdicts.flatMap(({ complaints }) => complaints),
  };
}

/** The longest time in which a host was not asked for anything, from its first request to the end of its last. */
export function longestSilenceMs(requests: readonly SeenRequest[]): number {
  const starts = requests.map(({ startMs }) => startMs).toSorted((a, b) => a - b);
  return Math.max(0, ...starts.slice(1).map((startMs, index) => startMs - (starts[index] ?? startMs)));
}
