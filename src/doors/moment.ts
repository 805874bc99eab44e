import { parseTime } from '../codecs/primitives/time.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';

/** Milliseconds since 1970, a date, or RFC 3339 text; of a day alone its first moment in UTC. */
export type Moment = number | Date | string;

/** Milliseconds since 1970. Throws a {@link SettingRefusedError}, which calls it by `name`, for what is no time. */
export function momentOf(name: string, moment: Moment): number {
  const timeMs = typeof moment === 'string' ? timeIn(moment) : Number(moment);
  // What is no number and no Date converts, too: true, null, [].
  const isTime = typeof moment === 'string' || typeof moment === 'number' || moment instanceof Date;
  if (isTime && timeMs !== undefined && Number.isFinite(timeMs)) return timeMs;
  throw new SettingRefusedError(name, moment, 'Give a time like 2026-04-27T12:00:00Z.');
}

function timeIn(text: string): number | undefined {
  return parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
}
