import type { RunHubOptions } from '../doors/run-hub.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { World } from './world.ts';

const KEEP_ALIVE_MS = 60_000;

/** Waits until the process is told to stop, or cannot go on and says why. Its own timers do not keep it alive, nor does a database that is away. */
export async function ending(
  failure: Promise<unknown>,
  { signal, complain }: Pick<World, 'signal' | 'complain'>,
  logger: RunHubOptions['logger'],
): Promise<ExitCode> {
  const over = new AbortController();
  const error = await Promise.race([failure, untilStopped(AbortSignal.any([signal, over.signal]))]);
  over.abort();
  if (error === undefined) {
    logger.info({}, 'Stopping');
    return ExitCode.Done;
  }
  if (!(error instanceof TidingsError)) throw error;
  complain(`tidings: ${error.message}`);
  return exitCodeOf(error);
}

/** Resolves when the process is told to stop, which lives until then. */
export async function untilStopped(signal: AbortSignal): Promise<undefined> {
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(alive);
}
