import { LONGEST_HOST_PAUSE_MS } from '../../../fetch/host-pauses.ts';
import type { HttpHeaders } from '../../../fetch/http-client.ts';
import { maxAgeMs } from '../../../fetch/response-headers.ts';
import type { PollMemory } from './reader-state.ts';

/** agent-feed §10: the shortest and the longest time between polls. */
const FLOOR_MS = 60_000;
export const CEILING_MS = 24 * 3600_000;

/** `isAsked`: an operator requested the poll. A pause that the origin asked for still applies. */
export function mayPoll({ nextMs = 0, pausedUntilMs = 0 }: PollMemory, nowMs: number, isAsked: boolean): boolean {
  return nowMs >= pausedUntilMs && (isAsked || nowMs >= nextMs);
}

/** The same memory without the pause that its origin asked for. */
export function unpaused(poll: PollMemory): PollMemory {
  const { pausedUntilMs, ...rest } = poll;
  return pausedUntilMs === undefined ? poll : rest;
}

/** The same memory with its pauses cut to the longest that is allowed. */
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
 * Adjusts the memory if the clock went back before the last poll. Then nobody knows how much of each wait is over, so the waits
 * start again. A small step back does no harm: the floor just lasts that much longer.
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
 * Committed before the first request. A process that stops in between does not come back sooner, and knows that its data is not
 * from this poll.
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

/** Follows the freshness of the feed's own headers, between floor and ceiling. */
export function nextPollMs(headers: HttpHeaders, nowMs: number): number {
  return nowMs + Math.min(Math.max(freshForMs(headers), FLOOR_MS), CEILING_MS);
}

/** How long an answer stays fresh, by `max-age` and `Age`. 0 if the headers do not say (RFC 9111 §4.2). */
export function freshForMs(headers: HttpHeaders): number {
  const age = /^\s*(\d{1,10})\s*$/.exec(headers.age ?? '')?.[1] ?? 0;
  return Math.max(0, (maxAgeMs(headers) ?? 0) - Number(age) * 1000);
}
