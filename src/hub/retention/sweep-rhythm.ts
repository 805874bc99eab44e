import type { Alarm } from '../schedule/scheduler.ts';

export interface SweepRhythmOptions {
  readonly alarm: Alarm;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
}

/** A start has other things to do; hubs that start together do not sweep together. */
const FIRST_MS = 60_000;
const FIRST_SPREAD_MS = 4 * 60_000;
const EVERY_MS = 3600_000;

/**
 * Sweeps one to five minutes after the start, so that a hub that is restarted often sweeps too, and an hour after each sweep. The returned function ends it.
 * `sweep` never rejects.
 */
export function startSweeping(sweep: () => Promise<void>, { alarm, random }: SweepRhythmOptions): () => void {
  let isOver = false;
  let cancel = () => {};
  const plan = (ms: number) => {
    cancel = alarm(ms, async () => {
      await sweep();
      if (!isOver) plan(EVERY_MS);
    });
  };
  plan(FIRST_MS + random() * FIRST_SPREAD_MS);
  return () => {
    isOver = true;
    cancel();
  };
}
