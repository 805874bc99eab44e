import { clockDoubtText } from '../hub/health/clock-doubt-text.ts';
import type { ClockDoubt } from '../hub/schedule/doubting-clock.ts';
import type { HubLogger } from '../hub/watch/logger.ts';

type Turns = Pick<HubLogger, 'error' | 'info'>;

const LOST =
  'The data folder was deleted or replaced under the hub: nothing is written any more. Stop the hub, put the folder back or restore a backup, and start again';

/** Reports once that the data folder is lost, and once that it is back. */
export function lossReporter(lossNow: () => string | undefined, logger: Turns): () => void {
  let said: string | undefined;
  return () => {
    const lost = lossNow();
    if (lost === said) return;
    said = lost;
    if (lost === undefined) logger.info({}, 'The data folder is back; the hub writes again');
    else logger.error({ reason: lost }, LOST);
  };
}

/** Reports once that the clock is doubted, and once that the doubt is over. */
export function doubtReporter(doubtNow: () => ClockDoubt | undefined, logger: Turns): () => void {
  let isDoubted = false;
  return () => {
    const doubt = doubtNow();
    if (isDoubted === (doubt !== undefined)) return;
    isDoubted = doubt !== undefined;
    if (doubt === undefined) logger.info({}, 'There is no doubt about the clock of the machine any more');
    else logger.error({}, clockDoubtText(doubt));
  };
}
