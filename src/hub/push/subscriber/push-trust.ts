/** Whether a hub tells of the news of a source, as looks at the source show. */
export interface PushTrust {
  readonly pushes: number;
  readonly lastPushMs?: number;
  /** The newest push that no look has followed yet. */
  readonly unservedMs?: number;
  /** The last push that brought news. */
  readonly lastNewsMs?: number;
  /** Looks in a row that a push has asked for, and that found nothing. */
  readonly fruitless: number;
  /** News that a look found and no push had told of, since a push brought some. */
  readonly misses: number;
  /** A look has found such news; a push that is only slow may still come. */
  readonly suspectMs?: number;
}

export const UNTRIED: PushTrust = { pushes: 0, fruitless: 0, misses: 0 };

/** So many misses end the trust in a hub. */
const MOST_MISSES = 3;
/** A push that comes so long behind a look has only been slow. */
const GRACE_MS = 10 * 60_000;
const FIRST_FLOOR_MS = 10_000;
const LONGEST_FLOOR_MS = 15 * 60_000;
/** Of a source on this machine or in its network. */
const PRIVATE_FLOOR_MS = 1000;

/** A hub is trusted once it has brought news, and until it has missed some three times. */
export function isTrusted({ lastNewsMs, ...trust }: PushTrust): boolean {
  return lastNewsMs !== undefined && missesOf(trust) < MOST_MISSES;
}

/** Those that may still be forgiven included. */
export function missesOf({ misses, suspectMs }: Pick<PushTrust, 'misses' | 'suspectMs'>): number {
  return misses + (suspectMs === undefined ? 0 : 1);
}

export function isSilent(trust: PushTrust): boolean {
  return missesOf(trust) >= MOST_MISSES;
}

/** Two looks that pushes ask for are so far apart: a hub that cries wolf is heard ever less often. */
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
  /** Whether the hub had to tell of all that is new since the look before. */
  readonly wasActive: boolean;
}

/** Behind a look that read the source. */
export function afterLook(before: PushTrust, look: TrustedLook): PushTrust {
  const { startedMs, endedMs, hasNews, wasActive } = look;
  const { unservedMs, ...trust } = settled(before, endedMs);
  if (unservedMs === undefined) {
    if (!hasNews || !wasActive) return trust;
    // One that is in doubt already is a miss by now.
    return { ...trust, misses: missesOf(trust), suspectMs: endedMs };
  }
  const isServed = unservedMs <= startedMs;
  const kept = isServed ? trust : { ...trust, unservedMs };
  if (hasNews) return { ...withoutSuspect(kept), lastNewsMs: endedMs, misses: 0, fruitless: 0 };
  return isServed ? { ...kept, fruitless: kept.fruitless + 1 } : kept;
}

/** What was in doubt for too long is a miss. */
function settled(trust: PushTrust, nowMs: number): PushTrust {
  const { suspectMs } = trust;
  if (suspectMs === undefined || nowMs - suspectMs <= GRACE_MS) return trust;
  return { ...withoutSuspect(trust), misses: trust.misses + 1 };
}

function withoutSuspect({ suspectMs: _, ...trust }: PushTrust): PushTrust {
  return trust;
}
