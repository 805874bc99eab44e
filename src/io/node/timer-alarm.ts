/** The longest delay of a timer in milliseconds (2^31 − 1); longer ones are reached in steps. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls back once after `ms`, unless cancelled before. Does not keep the process alive. */
export function alarm(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_MS));
  timer.unref();
  return () => clearTimeout(timer);
}

/** Calls back every `ms` until cancelled; never while the last call still runs. Does not keep the process alive. */
export function repeat(ms: number, callback: () => Promise<void>): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void callback().finally(() => {
      isRunning = false;
    });
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}
