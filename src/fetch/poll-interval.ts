const DEFAULT_MS = 60_000;
const MAX_MS = 24 * 3600_000;
const MAX_BACK_OFF_MS = 3600_000;

/** The time until the next poll: what the publisher says, otherwise one minute; never below the floor. */
export function pollIntervalMs(freshMs: number | undefined, floorMs: number): number {
  return Math.max(floorMs, Math.min(freshMs ?? DEFAULT_MS, MAX_MS));
}

/** After `failures` in a row: doubled each time, and never sooner than the origin asked. */
export function backOffMs(intervalMs: number, failures: number, retryAfterMs: number | undefined): number {
  const doubled = intervalMs * 2 ** Math.min(failures - 1, 20);
  return Math.max(intervalMs, Math.min(doubled, MAX_BACK_OFF_MS), Math.min(retryAfterMs ?? 0, MAX_MS));
}
