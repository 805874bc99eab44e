import type { StoredWrite } from './cluster-reader.ts';

/** What the workers said. */
export interface ClusterStory {
  readonly acked: ReadonlyMap<string, number>;
  readonly refused: ReadonlySet<string>;
}

/** Every count has to be 0. */
export interface ClusterVerdict {
  /** Acknowledged, and not in the place that was named. */
  readonly lost: number;
  readonly doubled: number;
  /** Holes in the numbers, ids that do not rise, times that go back. */
  readonly reordered: number;
  /** Passed over by a reader that was there all the time, or otherwise than it was given. */
  readonly 'passed over': number;
  readonly changed: number;
  /** Made under a token when a newer one had written, or though the writer was told that it was refused. */
  readonly stale: number;
  /** Sources that nobody wrote for over 10 s in which others were. */
  readonly 'left behind': number;
  /** Changes whose time is minutes from that of this machine. */
  readonly 'off the clock': number;
}

const TAKEN_OVER_MS = 10_000;
/** Longer pauses of everybody are not counted. */
const STANDSTILL_MS = 500;
const OFF_MS = 600_000;

export interface ClusterEvidence {
  readonly stored: readonly StoredWrite[];
  readonly seen: ReadonlyMap<number, StoredWrite>;
  readonly story: ClusterStory;
  readonly startedMs: number;
  readonly endedMs: number;
}

export function judgeCluster({ stored, seen, story, startedMs, endedMs }: ClusterEvidence): ClusterVerdict {
  const visits = stored.filter(({ kind }) => kind === 'visit');
  const places = new Map(visits.map(({ mark, rev }) => [mark, rev]));
  const times = stored.flatMap(({ changes }) => changes.map(({ time }) => Date.parse(time)));
  return {
    lost: [...story.acked].filter(([mark, rev]) => places.get(mark) !== rev).length,
    doubled: stored.length - new Set(stored.map(({ mark }) => mark)).size,
    reordered: countReordered(stored),
    'passed over': stored.filter(({ rev }) => !seen.has(rev)).length,
    changed: stored.filter((write) => isOther(write, seen.get(write.rev))).length,
    stale: countStale(visits) + visits.filter(({ mark }) => story.refused.has(mark)).length,
    'left behind': countLeft(visits),
    'off the clock': times.filter((ms) => ms < startedMs - OFF_MS || ms > endedMs + OFF_MS).length,
  };
}

/** In which nobody wrote: that of a lock whose holder stands still, or of a machine that is busy. */
export function longestPauseMs(stored: readonly StoredWrite[]): number {
  const pauses = stored.map(({ atMs }, index) => atMs - (stored[index - 1]?.atMs ?? atMs));
  return Math.round(pauses.reduce((longest, each) => Math.max(longest, each), 0));
}

function countReordered(stored: readonly StoredWrite[]): number {
  const changes = stored.flatMap((write) => write.changes);
  const holes = stored.filter(({ rev }, index) => rev !== index + 1).length;
  const wrong = changes.filter(({ seq, id, time }, index) => {
    const before = changes[index - 1];
    return (
      seq !== index + 1 || (before !== undefined && (id <= before.id || Date.parse(time) < Date.parse(before.time)))
    );
  });
  return holes + wrong.length;
}

function isOther(write: StoredWrite, seen: StoredWrite | undefined): boolean {
  return seen !== undefined && JSON.stringify(seen) !== JSON.stringify(write);
}

function countStale(visits: readonly StoredWrite[]): number {
  const newest = new Map<string, number>();
  let stale = 0;
  for (const { source, token } of visits) {
    if (token < (newest.get(source) ?? 0)) stale += 1;
    else newest.set(source, token);
  }
  return stale;
}

/** Counted while others were written: a machine that is busy holds up everybody. */
function countLeft(visits: readonly StoredWrite[]): number {
  const last = new Map<string, number>();
  let left = 0;
  let activeMs = 0;
  let beforeMs = visits[0]?.atMs ?? 0;
  for (const { source, atMs } of visits) {
    activeMs += Math.min(Math.max(atMs - beforeMs, 0), STANDSTILL_MS);
    beforeMs = atMs;
    if (activeMs - (last.get(source) ?? activeMs) > TAKEN_OVER_MS) left += 1;
    last.set(source, activeMs);
  }
  return left + [...last.values()].filter((ms) => activeMs - ms > TAKEN_OVER_MS).length;
}
