import { TidingsError } from '../../../errors/tidings-error.ts';
import type { CollectionFailure } from './harvested.ts';

export type Fail = (failure: CollectionFailure) => void;

/** What one document does wrong does not concern the others. A stop, and a bug, go through. */
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
