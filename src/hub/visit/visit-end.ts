import { HostPausedError, RobotsDeniedError } from '../../errors/crawl-error.ts';
import { isOfAnotherName } from '../../errors/fetch-error.ts';
import { LogFullError, LogUnavailableError } from '../../errors/log-error.ts';
import { otherNameText } from '../../errors/other-owner.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

/** Whether an error is the store's and not the source's: then the visit says nothing about the source. */
export function isOfTheStore(error: unknown): boolean {
  return [LogFullError, LogUnavailableError, WriteRefusedError].some((kind) => error instanceof kind);
}

/** A source that could be read before. */
export interface SourceReadBefore {
  readonly url: string;
}

/** The outcome of a visit that ended with an error. Throws it again if it is not the source's: a full disk, a bug. */
export function endedBy(error: unknown, signal: AbortSignal, changes: number, known?: SourceReadBefore): VisitOutcome {
  if (isOfTheStore(error)) throw error;
  if (signal.aborted && (error instanceof TidingsError || error === signal.reason)) return { is: 'abandoned', changes };
  if (!(error instanceof TidingsError)) throw error;
  if (known !== undefined && isOfAnotherName(error)) {
    const message = otherNameText(known.url, error);
    return { is: 'failed', error: { code: error.name, message, isStop: true }, changes };
  }
  const httpStatus = numberOf('status', error);
  const retryAfterMs = numberOf('retryAfterMs', error);
  return {
    is: 'failed',
    error: {
      code: error.name,
      ...(httpStatus !== undefined && { httpStatus }),
      message: error.message,
      ...(error.recovery === 'stop' && { isStop: true }),
    },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(retryAfterMs !== undefined && isRemembered(error) && { isSpared: true }),
    changes,
  };
}

/** The fetch layer remembers these: it lets no request through to the site before their time. */
function isRemembered(error: TidingsError): boolean {
  return error instanceof RobotsDeniedError || error instanceof HostPausedError;
}

function numberOf(key: 'status' | 'retryAfterMs', error: object): number | undefined {
  const value: unknown = Reflect.get(error, key);
  return typeof value === 'number' ? value : undefined;
}
