import { type Recovery, TidingsError } from '../../errors/tidings-error.ts';
import { tidingsProblem } from './api-problems.ts';
import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';

/** For errors whose name says nothing more. */
const STATUS_BY_RECOVERY: Readonly<Record<Recovery, number>> = {
  'retry-later': 503,
  'fix-input': 422,
  'fix-config': 400,
  stop: 409,
};

/** The answer when a handler throws. A bug is reported without any details. */
export function errorProblem(error: unknown): HubResponse {
  if (!(error instanceof TidingsError)) return problem({ status: 500, detail: 'The hub failed. Its log says more.' });

  const answer = tidingsProblem(error);
  if (answer.status !== 500) return answer;
  const status = STATUS_BY_RECOVERY[error.recovery];
  return problem({ status, detail: `${error.name}: the log of the hub says more.`, code: error.name });
}
