import { parseTime } from '../../../codecs/primitives/time.ts';

/** A time of ours as DiffDelta files have it: always with milliseconds, so that their order as texts is that of time. */
export function wireTime(time: string | number): string {
  const ms = typeof time === 'number' ? time : parseTime(time);
  if (ms === undefined) throw new Error(`${time} is not an RFC 3339 date-time.`);
  return new Date(ms).toISOString();
}
