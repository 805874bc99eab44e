import { parseTime } from '../codecs/primitives/time.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

/** Milliseconds since 1970, a Date, or RFC 3339 text. A date without a time is its first moment in UTC. */
export type Moment = number | Date | string;

/** Milliseconds since 1970. Throws a {@link SettingRefusedError} that uses `name` if it is not a time. */
export function momentOf(name: string, moment: Moment): number {
  const timeMs = typeof moment === 'string' ? timeIn(moment) : Number(moment);
  // Other values convert to a number too: true, null, [].
  const isTime = typeof moment === 'string' || typeof moment === 'number' || moment instanceof Date;
  if (isTime && timeMs !== undefined && Number.isFinite(timeMs)) return timeMs;
  throw new SettingRefusedError(name, moment, 'Give a time like 2026-04-27T12:00:00Z.');
}

function timeIn(text: string): number | undefined {
  return parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
}
