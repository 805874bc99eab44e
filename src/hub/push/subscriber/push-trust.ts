/** Whether a hub pushes the news of a source, judged by the checks of the source. */
export interface PushTrust {
  readonly pushes: number;
  readonly lastPushMs?: number;
  /** The newest push that no check has followed yet. */
  readonly unservedMs?: number;
  /** The last push that brought news. */
  readonly lastNewsMs?: number;
  /** Checks in a row that followed a push and found nothing. */
  readonly fruitless: number;
  /** News that a check found without a push, since a push brought some. */
  readonly misses: number;
  /** When a check found such news; a slow push may still come. */
  readonly suspectMs?: number;
}

export const UNTRIED: PushTrust = { pushes: 0, fruitless: 0, misses: 0 };

/** After this many misses a hub is no longer trusted. */
const MOST_MISSES = 3;
/** A push that arrives within this time after a check was only slow. */
const GRACE_MS = 10 * 60_000;
const FIRST_FLOOR_MS = 10_000;
const LONGEST_FLOOR_MS = 15 * 60_000;
/** For a source on this machine or in its network. */
const PRIVATE_FLOOR_MS = 1000;

/** A hub is trusted once it has brought news, until it has missed some three times. */
export function isTrusted({ lastNewsMs, ...trust }: PushTrust): boolean {
  return lastNewsMs !== undefined && missesOf(trust) < MOST_MISSES;
}

/** Includes a miss that may still be forgiven. */
export function missesOf({ misses, suspectMs }: Pick<PushTrust, 'misses' | 'suspectMs'>): number {
  return misses + (suspectMs === undefined ? 0 : 1);
}

export function isSilent(trust: PushTrust): boolean {
  return missesOf(trust) >= MOST_MISSES;
}

/** The minimum time between two checks that pushes cause: it grows with each false alarm. */
export function floorMs({ fruitless }: PushTrust, { allowPrivate }: { readonly allowPrivate: boolean }): number {
  const firstMs = allowPrivate ? PRIVATE_FLOOR_MS : FIRST_FLOOR_MS;
  return Math.min(firstMs * 2 ** Math.min(fruitless, 10), LONGEST_FLOOR_MS);
}

export function afterPush(before: PushTrust, atMs: number): PushTrust {
  const { suspectMs, ...trust } = settled(before, atMs);
  const told = { ...trust, pushes: trust.pushes + 1, lastPushMs: atMs, unservedMs: atMs };
  return suspectMs === undefined ? told : { ...told, lastNewsMs: atMs, misses: 0, fruitless: 0 };
}

export interface TrustedLook {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly hasNews: boolean;
  /** Whether the hub should have pushed everything that is new since the previous check. */
  readonly wasActive: boolean;
}

/** After a check that read the source. */
export function afterLook(before: PushTrust, look: TrustedLook): PushTrust {
  const { startedMs, endedMs, hasNews, wasActive } = look;
  const { unservedMs, ...trust } = settled(before, endedMs);
  if (unservedMs === undefined) {
    if (!hasNews || !wasActive) return trust;
    // An earlier suspect is a miss by now.
    return { ...trust, misses: missesOf(trust), suspectMs: endedMs };
  }
  const isServed = unservedMs <= startedMs;
  const kept = isServed ? trust : { ...trust, unservedMs };
  if (hasNews) return { ...withoutSuspect(kept), lastNewsMs: endedMs, misses: 0, fruitless: 0 };
  return isServed ? { ...kept, fruitless: kept.fruitless + 1 } : kept;
}

/** A suspect becomes a miss after the grace time. */
function settled(trust: PushTrust, nowMs: number): PushTrust {
  const { suspectMs } = trust;
  if (suspectMs === undefined || nowMs - suspectMs <= GRACE_MS) return trust;
  return { ...withoutSuspect(trust), misses: trust.misses + 1 };
}

function withoutSuspect({ suspectMs: _, ...trust }: PushTrust): PushTrust {
  return trust;
}
