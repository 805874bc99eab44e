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
}

/** Clocks that count whole milliseconds, on both sides of the pause. */
const TOLERANCE_MS = 3;

/** Whether the pages and sitemaps of one host were asked for one at a time, each a pause behind the end of the one before. */
export function judgeTurns(requests: readonly SeenRequest[], cooldownMs: number): TurnsVerdict {
  const turns = requests.filter(({ of }) => of === 'turn').toSorted((a, b) => a.startMs - b.startMs);
  let [atOnce, tooSoon, shortestMs] = [0, 0, Number.POSITIVE_INFINITY];
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of turns) {
    const gapMs = startMs - lastEndMs;
    if (gapMs < 0) atOnce += 1;
    else if (gapMs < cooldownMs - TOLERANCE_MS) tooSoon += 1;
    shortestMs = Math.min(shortestMs, gapMs);
    lastEndMs = Math.max(lastEndMs, endMs);
  }
  return { requests: turns.length, atOnce, tooSoon, shortestMs };
}

export function addTurns(verdicts: readonly TurnsVerdict[]): TurnsVerdict {
  const sum = (pick: (verdict: TurnsVerdict) => number) => verdicts.reduce((total, each) => total + pick(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    atOnce: sum(({ atOnce }) => atOnce),
    tooSoon: sum(({ tooSoon }) => tooSoon),
    shortestMs: Math.min(...verdicts.map(({ shortestMs }) => shortestMs)),
  };
}
