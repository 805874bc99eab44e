/**
 * Where somebody stands who follows a site by the best way there is: on its feed, or on its pages while the feed is broken. All of it is
 * plain JSON and pure; whoever reads the site keeps it, and does what it says.
 *
 *     { "rung": "pages", "dialect": "aicf", "sinceMs": 1772366400000, "reason": "…/feed answered with status 404.", "failures": 2,
 *       "failingSinceMs": 1772366398000, "lastGoodMs": 1772366100000, "turns": 1,
 *       "falls": [{ "fromMs": 1772366100000, "atMs": 1772366400000, "readMs": 1772366460000, "lookedMs": 1772366700000 }] }
 */
export interface LadderState {
  /** What is read now. */
  readonly rung: 'feed' | 'pages';
  /** Since when it is. */
  readonly sinceMs: number;
  /** Whose feed is read, or is returned to. Absent: the site never had one that could be read. */
  readonly dialect?: string;
  /** Why not by the feed. Only on the pages. */
  readonly reason?: string;
  /** The feed can be read, but has stopped telling: only news of it end the fall. */
  readonly isStuck?: true;
  /** When the feed was last read to its end. */
  readonly lastGoodMs?: number;
  /** How long its publisher says that it stays fresh. */
  readonly freshMs?: number;
  /** Checks in a row at which the feed could not be read. */
  readonly failures: number;
  /** The first of them. */
  readonly failingSinceMs?: number;
  /** Pages that could not be read when the pages began to speak: what is found there first is not new. */
  readonly unread?: readonly string[];
  /**
   * What changed before the pages began to speak is not known, and the feed will tell it as one with what changes later: of each page, the first
   * change is told as one of the whole page.
   */
  readonly isUnsure?: true;
  /** When a feed was last looked for, where there is none. */
  readonly soughtMs?: number;
  /** When the pages last showed that a feed that is quiet hides nothing. */
  readonly calmMs?: number;
  /** How often it fell or returned: of two states of one source, the one with more of them is the newer. */
  readonly turns: number;
  /** Of late, oldest first. The last one goes on while the pages are read. */
  readonly falls: readonly Fall[];
}

/** The time in which the pages of a site spoke for its feed. */
export interface Fall {
  /** The last good reading of the feed before; absent where there was none. */
  readonly fromMs?: number;
  /** When the first reading of the pages began: what is there then is what later ones are compared with. */
  readonly atMs: number;
  /** When that reading was over, and what it told was told. */
  readonly readMs: number;
  /** When the last look at the pages began that could read them. */
  readonly lookedMs: number;
}

/** How a look at the feed ended. */
export type FeedOutcome =
  | { readonly is: 'well'; readonly freshMs?: number | undefined; readonly hasNews?: boolean }
  /** There is none any more (`gone`), or what is there cannot be read as one (`invalid`). */
  | { readonly is: 'gone' | 'invalid'; readonly why: string }
  /** It could be read, and tells less than its own rhythm promises. */
  | { readonly is: 'stuck'; readonly why: string }
  /** No answer, or one that may pass; `isRefused`: one that says that this is not for us. */
  | { readonly is: 'unanswered'; readonly why: string; readonly isRefused?: true }
  /** Nobody was asked: it was too early. */
  | { readonly is: 'unasked' };

/** What to do now. `isGone`: there is no feed any more, or it is somebody else's. `look-again`: at the feed, after so long, in this check or the next one. `wait`: for the next check. */
export type LadderStep =
  | { readonly do: 'stay' | 'wait' | 'return' }
  | { readonly do: 'look-again'; readonly afterMs: number }
  | { readonly do: 'fall'; readonly reason: string; readonly isStuck: boolean; readonly isGone: boolean };

export interface LadderLimits {
  /** Looks that are closer to each other see the same moment. */
  readonly confirmMs: number;
  /** So many checks in a row without an answer end the patience with a feed. */
  readonly failures: number;
  /** … or so many times of what its publisher calls fresh, and no less than that. */
  readonly freshTimes: number;
  readonly leastMs: number;
  /** So long a feed may still tell what its pages have told in its place. */
  readonly rememberMs: number;
}

const HOUR_MS = 3600_000;
export const LADDER_LIMITS: LadderLimits = {
  confirmMs: 2000,
  failures: 3,
  freshTimes: 3,
  leastMs: HOUR_MS / 4,
  rememberMs: 7 * 24 * HOUR_MS,
};
const MAX_FALLS = 20;

/** Of a site that is read by its feed for the first time. */
export function firstOnFeed(dialect: string, nowMs: number): LadderState {
  return { rung: 'feed', dialect, sinceMs: nowMs, failures: 0, turns: 0, falls: [] };
}

/** Of a site that has no feed that could be read: its pages told all that they are, from `atMs` on. */
export function firstOnPages(atMs: number, readMs: number): LadderState {
  return { rung: 'pages', sinceMs: atMs, failures: 0, turns: 0, falls: [{ atMs, readMs, lookedMs: atMs }] };
}

/**
 * What follows from a look at the feed.
 *
 * A feed that is gone or invalid is looked at again before it is believed; one that does not answer gets three checks, or the time of
 * its own rhythm. A fall counts when the pages were read ({@link fallen}), a return when they were read a last time ({@link returned}).
 */
export function afterReading(
  state: LadderState,
  outcome: FeedOutcome,
  nowMs: number,
  limits: LadderLimits = LADDER_LIMITS,
): { readonly state: LadderState; readonly step: LadderStep } {
  if (outcome.is === 'unasked') return { state, step: { do: 'stay' } };
  if (outcome.is === 'well') return afterGood(state, outcome, nowMs);
  const failing = failed(state, nowMs);
  if (state.rung === 'pages') return { state: failing, step: { do: 'stay' } };
  const isGone = outcome.is === 'gone' || outcome.is === 'invalid';
  const fall = { do: 'fall', reason: outcome.why, isStuck: outcome.is === 'stuck', isGone } as const;
  if (outcome.is === 'stuck') return { state: failing, step: fall };
  const failingMs = nowMs - (failing.failingSinceMs ?? nowMs);
  if (outcome.is === 'unanswered') {
    const patienceMs = Math.max(limits.leastMs, limits.freshTimes * (state.freshMs ?? 0));
    const isOver = failing.failures >= limits.failures || failingMs >= patienceMs;
    return { state: failing, step: isOver ? fall : { do: 'wait' } };
  }
  const isConfirmed = failing.failures > 1 && failingMs >= limits.confirmMs;
  const afterMs = Math.max(0, limits.confirmMs - failingMs);
  return { state: failing, step: isConfirmed ? fall : { do: 'look-again', afterMs } };
}

interface FallFacts {
  readonly reason: string;
  readonly isStuck: boolean;
  /** The last moment until which the feed has told all, where that is not its last good reading. */
  readonly fromMs?: number | undefined;
  /** When the reading of the pages began, and when what it told was told. */
  readonly atMs: number;
  readonly readMs: number;
}

/** The pages were read in place of the feed: they are what is compared with from `atMs` on. */
export function fallen(
  state: LadderState,
  { reason, isStuck, fromMs = state.lastGoodMs, atMs, readMs }: FallFacts,
  limits: LadderLimits = LADDER_LIMITS,
): LadderState {
  const { isStuck: _, ...rest } = state;
  const fall: Fall = { ...(fromMs !== undefined && { fromMs }), atMs, readMs, lookedMs: atMs };
  const falls = [...recentFalls(state, atMs, limits), fall].slice(-MAX_FALLS);
  return { ...rest, rung: 'pages', sinceMs: atMs, reason, ...(isStuck && { isStuck }), turns: state.turns + 1, falls };
}

/** The pages were looked at once more. */
export function looked(state: LadderState, lookedMs: number): LadderState {
  const last = state.falls.at(-1);
  return last === undefined ? state : { ...state, falls: [...state.falls.slice(0, -1), { ...last, lookedMs }] };
}

/** The feed is read again, from here on. */
export function returned(state: LadderState, dialect: string, nowMs: number): LadderState {
  const { reason: _, isStuck: __, unread: ___, isUnsure: ____, ...rest } = state;
  return { ...rest, rung: 'feed', dialect, sinceMs: nowMs, turns: state.turns + 1 };
}

/** Whether a feed that was returned to was not read to its end since. */
export function isReturning({ rung, falls, lastGoodMs = Number.NEGATIVE_INFINITY }: LadderState): boolean {
  const last = falls.at(-1);
  return rung === 'feed' && last !== undefined && lastGoodMs < last.lookedMs;
}

/** The falls whose edits a feed may still tell of. */
export function recentFalls(
  { falls }: LadderState,
  nowMs: number,
  { rememberMs }: LadderLimits = LADDER_LIMITS,
): readonly Fall[] {
  return falls.filter(({ lookedMs }) => nowMs - lookedMs < rememberMs);
}

/** On the pages, a good reading of the feed ends the fall; of one that was stuck, only news do. Until then it does not count as read. */
function afterGood(
  state: LadderState,
  { freshMs, hasNews = false }: Extract<FeedOutcome, { readonly is: 'well' }>,
  nowMs: number,
): { readonly state: LadderState; readonly step: LadderStep } {
  const { failingSinceMs: _, ...rest } = state;
  const well = { ...rest, failures: 0, ...(freshMs !== undefined && { freshMs }) };
  if (state.rung === 'feed') return { state: { ...well, lastGoodMs: nowMs }, step: { do: 'stay' } };
  return { state: well, step: { do: state.isStuck && !hasNews ? 'stay' : 'return' } };
}

function failed(state: LadderState, nowMs: number): LadderState {
  const { failingSinceMs = nowMs } = state;
  // A moment to come shows that the clock was set back.
  return { ...state, failures: state.failures + 1, failingSinceMs: Math.min(failingSinceMs, nowMs) };
}
