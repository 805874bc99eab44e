import { HostBusyError } from '../errors/crawl-error.ts';

/** So often what had to give way is begun. */
const MOST_TRIES = 3;

/** Reads again where the reading had begun and gave its turn at the host to a source of the hub. */
export async function givingWay<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof HostBusyError) || !error.hasBegun || tries === MOST_TRIES) throw error;
    }
  }
}
