import { HostBusyError } from '../errors/crawl-error.ts';

/** The maximum number of attempts of a reading that had to give way. */
const MOST_TRIES = 3;

/** Reads again if a reading had begun and then gave its turn at the host to a source of the hub. */
export async function givingWay<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof HostBusyError) || !error.hasBegun || tries === MOST_TRIES) throw error;
    }
  }
}
