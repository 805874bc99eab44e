import { type Decode, fieldsOf, objectOf, refused } from '../config/setting-decoders.ts';
import type { SourceConfig } from '../config/source-config.ts';
import { problem } from '../http/problem.ts';
import type { HubRequest, HubResponse } from '../http/route.ts';
import { uncachedJson } from '../http/small-answer.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';
import type { Watch } from '../watch/watch-port.ts';

export interface TestParts {
  readonly watch: Pick<Watch, 'test'>;
  readonly decode: Decode<SourceConfig>;
  deadline(ms: number): AbortSignal;
}

const DEADLINE_MS = 60_000;
/** A source that is only tested needs no name. */
const TRIAL_ID = 'trial';

/** Reads the source of the body once, without recording anything. */
export async function answerTest(
  { body, signal }: HubRequest,
  { watch, decode, deadline }: TestParts,
): Promise<HubResponse> {
  const named: Decode<SourceConfig> = (value, at) => decode({ id: TRIAL_ID, ...objectOf(value, at) }, at);
  const { source } = fieldsOf({ source: named }, body, '');
  if (source === undefined) throw refused('source', undefined, 'Give the source to read.');

  const limit = AbortSignal.any([signal, deadline(DEADLINE_MS)]);
  const outcome = await Promise.race([watch.test(source, limit), abandonedAt(limit)]);
  if (outcome.is === 'abandoned') return tooSlow();
  return uncachedJson(200, { outcome });
}

/** Resolves even if the reader ignores the signal. */
function abandonedAt(signal: AbortSignal): Promise<VisitOutcome> {
  return new Promise((resolve) => {
    const abandon = () => resolve({ is: 'abandoned', changes: 0 });
    if (signal.aborted) abandon();
    else signal.addEventListener('abort', abandon, { once: true });
  });
}

function tooSlow(): HubResponse {
  const detail = `The source was not read within ${DEADLINE_MS / 1000} s, or the hub is stopping. Added, it is read without hurry.`;
  return problem({ status: 504, detail });
}
