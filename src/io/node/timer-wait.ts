import { setTimeout as pause } from 'node:timers/promises';

/** Resolves after `ms`, or as soon as the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
