import { formatTime } from '../codecs/primitives/time.ts';
import type { FollowLadder } from './ladder-at.ts';
import { quietSinceMs } from './quiet.ts';

const MAX_GAPS = 20;
/** The poll interval if the publisher names none. */
const POLL_MS = 60_000;
/** How often a quiet feed is compared with its pages. */
const CALM_MS = 24 * 3600_000;

/** The known rhythm of a feed after a poll that found this many events. */
export function rhythmAfter(
  { changeGapsMs = [], lastChangeMs }: Pick<FollowLadder, 'changeGapsMs' | 'lastChangeMs'>,
  events: number,
  nowMs: number,
): Pick<FollowLadder, 'changeGapsMs' | 'lastChangeMs'> {
  if (events === 0) return { changeGapsMs, ...(lastChangeMs !== undefined && { lastChangeMs }) };
  const gaps = lastChangeMs === undefined ? changeGapsMs : [...changeGapsMs, nowMs - lastChangeMs];
  return { changeGapsMs: gaps.slice(-MAX_GAPS), lastChangeMs: nowMs };
}

/** Why a silent feed should have reported something, by its own rhythm; undefined if it need not have, or if its pages were checked recently. */
export function stuckSince(ladder: FollowLadder, nowMs: number): string | undefined {
  const { changeGapsMs = [], lastChangeMs, freshMs = POLL_MS, calmMs = 0 } = ladder;
  if (nowMs - calmMs < CALM_MS) return undefined;
  const quietMs = quietSinceMs({ changeGapsMs, lastChangeMs, lastOkMs: nowMs, intervalMs: freshMs });
  if (quietMs === undefined) return undefined;
  return `It has told nothing since ${formatTime(lastChangeMs ?? quietMs)}, which is longer than its own rhythm allows.`;
}
