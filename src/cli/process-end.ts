import type { RunHubOptions } from '../doors/run-hub.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { ExitCode, exitCodeOf } from './exit-code.ts';
import type { World } from './world.ts';

const KEEP_ALIVE_MS = 60_000;

/** Waits until the process is asked to stop, or cannot continue and says why. Neither its own timers nor an unreachable database keep it alive. */
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

/** Resolves when the process is asked to stop, and keeps it alive until then. */
export async function untilStopped(signal: AbortSignal): Promise<undefined> {
  const alive = setInterval(() => {}, KEEP_ALIVE_MS);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  clearInterval(alive);
}
