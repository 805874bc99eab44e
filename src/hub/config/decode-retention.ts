import type { Keep, Retention } from './retention.ts';
import { type Decode, fieldsOf, refused, wholeNumberIn } from './setting-decoders.ts';

export const MOST_DAYS = 36_500;
/** Below this, a cut of the log is not worthwhile. */
const LEAST_LOG_BYTES = 1_000_000;

const keep: Decode<Keep> = (value, at) => {
  const { days, bytes } = fieldsOf(
    { days: wholeNumberIn(0, MOST_DAYS), bytes: wholeNumberIn(0, Number.MAX_SAFE_INTEGER) },
    value,
    at,
  );
  if (days !== undefined && bytes === undefined) return { days };
  if (bytes !== undefined && days === undefined) return { bytes };
  throw refused(at, value, 'Give either days or bytes, like { "days": 365 }.');
};

/** For data that readers go back to. */
const keepForReaders: Decode<Keep> = (value, at) => {
  const kept = keep(value, at);
  if (kept.days === 0) throw refused(`${at}.days`, 0, 'Give 1 or more: readers must be able to catch up.');
  if (kept.bytes !== undefined && kept.bytes < LEAST_LOG_BYTES) {
    throw refused(`${at}.bytes`, kept.bytes, `Give ${LEAST_LOG_BYTES} or more: readers must be able to catch up.`);
  }
  return kept;
};

/** How much of the growing data is kept: `{ "log": { "days": 365 }, "snapshots": { "bytes": 1000000000 } }`. `archived`: the dialects that have archives. */
export function retentionIn(archived: readonly string[]): Decode<Retention> {
  const ofDialects = Object.fromEntries(archived.map((name) => [name, keepForReaders]));
  const archives: Decode<Required<Retention>['archives']> = (value, at) =>
    fieldsOf(ofDialects, value, at) as Record<string, Keep>;
  return (value, at) => fieldsOf({ snapshots: keep, checks: keep, log: keepForReaders, archives }, value, at);
}
