import { parseTime } from '../../../codecs/primitives/time.ts';

/** A time in the form of our DiffDelta files: always with milliseconds, so that text order is time order. */
export function wireTime(time: string | number): string {
  const ms = typeof time === 'number' ? time : parseTime(time);
  if (ms === undefined) throw new Error(`${time} is not an RFC 3339 date-time.`);
  return new Date(ms).toISOString();
}
