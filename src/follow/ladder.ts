/**
 * The state of a follower that uses the best way to follow a site: its feed, or its pages while the feed is broken. All of it is plain JSON and pure;
 * the caller that reads the site stores it and does what it says.
 *
 *     { "rung": "pages", "dialect": "aicf", "sinceMs": 1772366400000, "reason": "…/feed answered with status 404.", "failures": 2,
 *       "failingSinceMs": 1772366398000, "lastGoodMs": 1772366100000, "turns": 1,
 *       "falls": [{ "fromMs": 1772366100000, "atMs": 1772366400000, "readMs": 1772366460000, "lookedMs": 1772366700000 }] }
 */
export interface LadderState {
  /** What is read now. */
  readonly rung: 'feed' | 'pages';
  /** Since when. */
  readonly sinceMs: number;
  /** The dialect of the feed that is read or will be returned to. Absent: the site never had a readable feed. */
  readonly dialect?: string;
  /** Why the feed is not used. Only on the pages. */
  readonly reason?: string;
  /** The feed is readable but has stopped reporting: only new reports end the fall. */
  readonly isStuck?: true;
  /** When the feed was last read completely. */
  readonly lastGoodMs?: number;
  /** How long its publisher says that it stays fresh. */
  readonly freshMs?: number;
  /** Checks in a row at which the feed could not be read. */
  readonly failures: number;
  /** The first of them. */
  readonly failingSinceMs?: number;
  /** Pages that could not be read when the pages replaced the feed: what is found there first is not new. */
  readonly unread?: readonly string[];
  /**
   * What changed before the pages replaced the feed is unknown, and the feed will report it together with later changes: so the first change of each
   * page is reported as one of the whole page.
   */
  readonly isUnsure?: true;
  /** When a feed was last looked for, if there is none. */
  readonly soughtMs?: number;
  /** When the pages last showed that a quiet feed hides nothing. */
  readonly calmMs?: number;
  /** How often it fell or returned: of two states of one source, the one with more turns is newer. */
  readonly turns: number;
  /** Recent falls, oldest first. The last one continues while the pages are read. */
  readonly falls: readonly Fall[];
}

/** A period in which the pages of a site replaced its feed. */
export interface Fall {
  /** The last good reading of the feed before; absent if there was none. */
  readonly fromMs?: number;
  /** When the first reading of the pages began: later readings are compared with its result. */
  readonly atMs: number;
  /** When that reading and its reports were finished. */
  readonly readMs: number;
  /** When the last successful look at the pages began. */
  readonly lookedMs: number;
}

/** The result of a look at the feed. */
export type FeedOutcome =
  | { readonly is: 'well'; readonly freshMs?: number | undefined; readonly hasNews?: boolean }
  /** It no longer exists (`gone`), or the document is not a readable feed (`invalid`). */
  | { readonly is: 'gone' | 'invalid'; readonly why: string }
  /** It could be read but reports less than its own rhythm promises. */
  | { readonly is: 'stuck'; readonly why: string }
  /** No answer, or a temporary one; `isRefused`: the answer refuses us access. */
  | { readonly is: 'unanswered'; readonly why: string; readonly isRefused?: true }
  /** No request was made: it was too early. */
  | { readonly is: 'unasked' };

/**
 * What to do now. `isGone`: the feed no longer exists or belongs to somebody else. `look-again`: look at the feed after this time, in this check or
 * the next one. `wait`: for the next check.
 */
export type LadderStep =
  | { readonly do: 'stay' | 'wait' | 'return' }
  | { readonly do: 'look-again'; readonly afterMs: number }
  | { readonly do: 'fall'; readonly reason: string; readonly isStuck: boolean; readonly isGone: boolean };

export interface LadderLimits {
  /** Looks that are closer together than this count as one. */
  readonly confirmMs: number;
  /** A feed is given up after this many checks in a row without an answer. */
  readonly failures: number;
  /** … or after this many times its publisher's freshness, and no earlier. */
  readonly freshTimes: number;
  readonly leastMs: number;
  /** How long a feed may still report what its pages have reported instead. */
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

/** For a site whose feed is read for the first time. */
export function firstOnFeed(dialect: string, nowMs: number): LadderState {
  return { rung: 'feed', dialect, sinceMs: nowMs, failures: 0, turns: 0, falls: [] };
}

/** For a site without a readable feed: its pages are the source from `atMs` on. */
export function firstOnPages(atMs: number, readMs: number): LadderState {
  return { rung: 'pages', sinceMs: atMs, failures: 0, turns: 0, falls: [{ atMs, readMs, lookedMs: atMs }] };
}

/**
 * What to do after a look at the feed.
 *
 * A feed that is gone or invalid is looked at again before that is believed. A feed that does not answer gets three checks, or the time of its own
 * rhythm. A fall counts once the pages were read ({@link fallen}), a return once they were read a last time ({@link returned}).
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
  /** Until when the feed has reported everything, if that is not its last good reading. */
  readonly fromMs?: number | undefined;
  /** When the reading of the pages began, and when its reports were finished. */
  readonly atMs: number;
  readonly readMs: number;
}

/** The pages were read instead of the feed: later looks are compared with them from `atMs` on. */
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

/** The feed is read again from now on. */
export function returned(state: LadderState, dialect: string, nowMs: number): LadderState {
  const { reason: _, isStuck: __, unread: ___, isUnsure: ____, ...rest } = state;
  return { ...rest, rung: 'feed', dialect, sinceMs: nowMs, turns: state.turns + 1 };
}

/** Whether a feed that was returned to has not been read completely since. */
export function isReturning({ rung, falls, lastGoodMs = Number.NEGATIVE_INFINITY }: LadderState): boolean {
  const last = falls.at(-1);
  return rung === 'feed' && last !== undefined && lastGoodMs < last.lookedMs;
}

/** The falls whose edits a feed may still report. */
export function recentFalls(
  { falls }: LadderState,
  nowMs: number,
  { rememberMs }: LadderLimits = LADDER_LIMITS,
): readonly Fall[] {
  return falls.filter(({ lookedMs }) => nowMs - lookedMs < rememberMs);
}

/** On the pages, a good reading of the feed ends the fall; if it was stuck, only new reports do. Until then it does not count as read. */
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
  // A time in the future shows that the clock was set back.
  return { ...state, failures: state.failures + 1, failingSinceMs: Math.min(failingSinceMs, nowMs) };
}
