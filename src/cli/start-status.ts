import { type Job, viewJob } from '../doors/jobs.ts';
import type { RunHubOptions } from '../doors/run-hub.ts';
import { durationText } from './crawl-status.ts';
import { jobLine } from './job-text.ts';
import type { World } from './world.ts';

type HubLogger = RunHubOptions['logger'];

/** The status line of a hub that starts: it may have much to catch up with before it listens. */
export interface StartStatus extends Disposable {
  job(job: Job): void;
  /** The same log; what it says does not run into the line. */
  over(logger: HubLogger): HubLogger;
}

const TICK_MS = 1000;
/** Work reports every change; a terminal is written to less often. */
const LEAST_MS = 200;

export function showStart(world: World, now: () => number): StartStatus {
  const startedMs = now();
  let running: Job | undefined;
  let shownMs = startedMs;
  let isOver = false;
  const show = () => {
    const nowMs = now();
    if (isOver || nowMs - startedMs < TICK_MS || nowMs - shownMs < LEAST_MS) return;
    shownMs = nowMs;
    world.status(
      running === undefined ? `starting: ${durationText(nowMs - startedMs)}` : jobLine(viewJob(running), nowMs),
    );
  };
  const clock = setInterval(show, TICK_MS);
  clock.unref();
  return {
    job(job) {
      if (isOver) return;
      running = job.outcome === undefined ? job : undefined;
      show();
    },
    over: (logger) => ({
      debug: (...said) => clearing(() => logger.debug(...said)),
      info: (...said) => clearing(() => logger.info(...said)),
      warn: (...said) => clearing(() => logger.warn(...said)),
      error: (...said) => clearing(() => logger.error(...said)),
    }),
    [Symbol.dispose]() {
      if (isOver) return;
      isOver = true;
      clearInterval(clock);
      world.status('');
    },
  };

  function clearing(say: () => void): void {
    if (!isOver) world.status('');
    say();
  }
}
