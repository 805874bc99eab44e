import { formatTime } from '../codecs/primitives/time.ts';
import type { FollowLadder } from './ladder-at.ts';
import { quietSinceMs } from './quiet.ts';

const MAX_GAPS = 20;
/** Where a publisher says nothing of it, a feed is polled so often. */
const POLL_MS = 60_000;
/** A feed that is quiet is held against its pages so often. */
const CALM_MS = 24 * 3600_000;

/** What is known of the rhythm of a feed behind a poll that found so many events. */
export function rhythmAfter(
  { changeGapsMs = [], lastChangeMs }: Pick<FollowLadder, 'changeGapsMs' | 'lastChangeMs'>,
  events: number,
  nowMs: number,
): Pick<FollowLadder, 'changeGapsMs' | 'lastChangeMs'> {
  if (events === 0) return { changeGapsMs, ...(lastChangeMs !== undefined && { lastChangeMs }) };
  const gaps = lastChangeMs === undefined ? changeGapsMs : [...changeGapsMs, nowMs - lastChangeMs];
  return { changeGapsMs: gaps.slice(-MAX_GAPS), lastChangeMs: nowMs };
}

/** Why a feed that tells nothing should have, by its own rhythm; undefined where that is not so, or its pages were asked of late. */
export function stuckSince(ladder: FollowLadder, nowMs: number): string | undefined {
  const { changeGapsMs = [], lastChangeMs, freshMs = POLL_MS, calmMs = 0 } = ladder;
  if (nowMs - calmMs < CALM_MS) return undefined;
  const quietMs = quietSinceMs({ changeGapsMs, lastChangeMs, lastOkMs: nowMs, intervalMs: freshMs });
  if (quietMs === undefined) return undefined;
  return `It has told nothing since ${formatTime(lastChangeMs ?? quietMs)}, which is longer than its own rhythm allows.`;
}
