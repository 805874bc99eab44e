import { LONGEST_HOST_PAUSE_MS } from '../../../fetch/host-pauses.ts';
import type { HttpHeaders } from '../../../fetch/http-client.ts';
import { maxAgeMs } from '../../../fetch/response-headers.ts';
import type { PollMemory } from './reader-state.ts';

/** agent-feed §10: not more often, not more seldom. */
const FLOOR_MS = 60_000;
export const CEILING_MS = 24 * 3600_000;

/** `isAsked`: an operator asks for it. A pause that the origin asked for holds all the same. */
export function mayPoll({ nextMs = 0, pausedUntilMs = 0 }: PollMemory, nowMs: number, isAsked: boolean): boolean {
  return nowMs >= pausedUntilMs && (isAsked || nowMs >= nextMs);
}

/** The same memory without the pause of its origin. */
export function unpaused(poll: PollMemory): PollMemory {
  const { pausedUntilMs, ...rest } = poll;
  return pausedUntilMs === undefined ? poll : rest;
}

/** The same memory without a pause that is longer than any is kept. */
export function curbed(poll: PollMemory): PollMemory {
  const { lastMs = Number.POSITIVE_INFINITY, pausedUntilMs, cardPausedUntilMs } = poll;
  const latestMs = lastMs + LONGEST_HOST_PAUSE_MS;
  if ((pausedUntilMs ?? 0) <= latestMs && (cardPausedUntilMs ?? 0) <= latestMs) return poll;
  return {
    ...poll,
    ...(pausedUntilMs !== undefined && { pausedUntilMs: Math.min(pausedUntilMs, latestMs) }),
    ...(cardPausedUntilMs !== undefined && { cardPausedUntilMs: Math.min(cardPausedUntilMs, latestMs) }),
  };
}

/**
 * The same memory under a clock that went back behind the last poll: how much of the waits is over is not known then, so
 * they begin anew. A small step back is no matter: the floor just lasts that much longer.
 */
export function steadied(poll: PollMemory, nowMs: number): PollMemory {
  const { lastMs, pausedUntilMs, cardPausedUntilMs } = poll;
  if (lastMs === undefined || nowMs >= lastMs - FLOOR_MS) return poll;
  return {
    ...poll,
    lastMs: nowMs,
    nextMs: nowMs + FLOOR_MS,
    ...(pausedUntilMs !== undefined && { pausedUntilMs: nowMs + Math.max(0, pausedUntilMs - lastMs) }),
    ...(cardPausedUntilMs !== undefined && { cardPausedUntilMs: nowMs + Math.max(0, cardPausedUntilMs - lastMs) }),
  };
}

/**
 * Written down before anything is asked: who is stopped in between does not come back sooner, and knows that what it has is
 * not from this poll.
 */
export function unfinished(poll: PollMemory, nowMs: number): PollMemory {
  const problem = `The poll of ${new Date(nowMs).toISOString()} did not come to its end.`;
  return begun({ ...poll, problem }, nowMs);
}

export function begun({ problem, cardPausedUntilMs }: PollMemory, nowMs: number): PollMemory {
  return {
    lastMs: nowMs,
    nextMs: nowMs + FLOOR_MS,
    ...(problem !== undefined && { problem }),
    ...(cardPausedUntilMs !== undefined && { cardPausedUntilMs }),
  };
}

/** As often as the feed's own freshness asks for, between floor and ceiling. */
export function nextPollMs(headers: HttpHeaders, nowMs: number): number {
  return nowMs + Math.min(Math.max(freshForMs(headers), FLOOR_MS), CEILING_MS);
}

/** How long an answer is fresh from now on, by `max-age` and `Age`. 0 where nothing says so (RFC 9111 §4.2). */
export function freshForMs(headers: HttpHeaders): number {
  const age = /^\s*(\d{1,10})\s*$/.exec(headers.age ?? '')?.[1] ?? 0;
  return Math.max(0, (maxAgeMs(headers) ?? 0) - Number(age) * 1000);
}
