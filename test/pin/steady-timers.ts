/** Timers of a second or more, which ring by a clock that is moved and never by the real one. */
export interface SteadyTimers {
  /** Rings what is due until then, in that order. */
  ringUntil(atMs: number): void;
  /** Puts the real timers back. */
  leave(): void;
}

interface Standing {
  readonly atMs: number;
  readonly ring: () => void;
}

type SetTimer = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout;

const { setTimeout, setInterval, clearTimeout } = globalThis;
const STANDS_FROM_MS = 1000;
/** The longest that a timer can count. */
const NEVER_MS = 2 ** 31 - 1;

/** Takes the place of the global timers. Those that stand do not keep the process alive. */
export function openSteadyTimers(): SteadyTimers {
  const standing = new Map<NodeJS.Timeout | undefined, Standing>();
  const never = (set: SetTimer) => set(() => {}, NEVER_MS).unref();

  const steadyTimeout: SetTimer = (callback, ms = 0, ...args) => {
    if (!(ms >= STANDS_FROM_MS)) return setTimeout(callback, ms, ...args);
    const timer = never(setTimeout);
    standing.set(timer, { atMs: Date.now() + ms, ring: () => callback(...args) });
    return timer;
  };
  const steadyInterval: SetTimer = (callback, ms = 0, ...args) =>
    ms >= STANDS_FROM_MS ? never(setInterval) : setInterval(callback, ms, ...args);
  const steadyClear = (timer?: NodeJS.Timeout) => {
    standing.delete(timer);
    clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: steadyTimeout, setInterval: steadyInterval, clearTimeout: steadyClear });

  return {
    ringUntil(atMs) {
      const due = [...standing].filter(([, timer]) => timer.atMs <= atMs);
      for (const [handle, timer] of due.sort(([, one], [, other]) => one.atMs - other.atMs)) {
        // One that rang before may have cleared it.
        if (!standing.delete(handle)) continue;
        clearTimeout(handle);
        timer.ring();
      }
    },
    leave() {
      for (const handle of standing.keys()) clearTimeout(handle);
      Object.assign(globalThis, { setTimeout, setInterval, clearTimeout });
    },
  };
}
