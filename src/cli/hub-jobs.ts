import type { JobView } from '../doors/jobs.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { durationText } from './crawl-status.ts';
import { jobLine } from './job-text.ts';
import type { World } from './world.ts';

const EVERY_MS = 1000;

/** Shows what a hub does while it is waited for: its oldest work that takes its time, else how long it takes. */
export function showHubJobs(client: Pick<HubClient, 'ask'>, world: World): Disposable {
  if (!world.isTerminal) return { [Symbol.dispose]() {} };
  const startedMs = Date.now();
  let isOver = false;
  const look = async () => {
    const job = await oldestJob(client);
    if (isOver) return;
    const nowMs = Date.now();
    world.status(job === undefined ? `the hub works: ${durationText(nowMs - startedMs)}` : jobLine(job, nowMs));
  };
  const clock = setInterval(() => void look(), EVERY_MS);
  clock.unref();
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearInterval(clock);
      world.status('');
    },
  };
}

/** A hub of an earlier Tidings has no such list. */
async function oldestJob(client: Pick<HubClient, 'ask'>): Promise<JobView | undefined> {
  try {
    const answer = await client.ask({ method: 'GET', path: 'api/v1/jobs' });
    return (answer as { readonly running?: readonly JobView[] } | undefined)?.running?.[0];
  } catch (error) {
    if (error instanceof TidingsError) return undefined;
    throw error;
  }
}
