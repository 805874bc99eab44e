import { TidingsError } from '../errors/tidings-error.ts';
import type { HubLogger } from '../hub/watch/logger.ts';

/** A disk that cannot be written for now must not end the hub. */
export async function tolerating(trouble: string, logger: HubLogger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    logger.warn({ error }, trouble);
  }
}
