import { TidingsError } from '../../../errors/tidings-error.ts';
import type { CollectionFailure } from './harvested.ts';

export type Fail = (failure: CollectionFailure) => void;

/** Turns an error of one document into a failure, so that the others go on. An abort or a bug is thrown. */
export async function orFail(
  fail: Fail,
  about: Pick<CollectionFailure, 'url' | 'describes'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TidingsError) || isStop(error)) throw error;
    fail({ is: 'failed', ...about, error });
  }
}

function isStop({ name }: TidingsError): boolean {
  return name === 'FetchAbortedError';
}
