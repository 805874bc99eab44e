import type { World } from './world.ts';

/** The status line of a long reading: kept alive by the clock, so that a slow site never looks like a hung program. */
export interface CrawlStatus extends Disposable {
  progress(done: number, known: number): void;
}

const TICK_MS = 1000;

/** Shows how many pages are read, how many are known of, and how long those will take at this pace. */
export function showCrawlStatus(world: World, now: () => number): CrawlStatus {
  const startedMs = now();
  let done = 0;
  let known = 0;
  const show = () => world.status(statusLine({ done, known, elapsedMs: now() - startedMs }));
  const clock = setInterval(show, TICK_MS);
  clock.unref();
  show();
  return {
    progress(newDone, newKnown) {
      done = newDone;
      known = newKnown;
      show();
    },
    [Symbol.dispose]() {
      clearInterval(clock);
      world.status('');
    },
  };
}

interface Reading {
  readonly done: number;
  readonly known: number;
  readonly elapsedMs: number;
}

export function statusLine({ done, known, elapsedMs }: Reading): string {
  if (done === 0) return `looking for pages: ${durationText(elapsedMs)}`;
  const left = ((known - done) * elapsedMs) / done;
  const end = known > done ? `, about ${durationText(left)} left` : '';
  return `reading pages: ${done} of ${known} known, ${durationText(elapsedMs)}${end}`;
}

/** `40 s`, `12 min`, `3.5 h`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
