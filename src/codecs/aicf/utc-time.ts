import { formatTime, parseTime } from '../primitives/time.ts';

const PLAIN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?Z$/;

/** A time that is in UTC already stays as it is written; others are converted (T-AICF-12). Undefined when it is none. */
export function utcTime(time: string): string | undefined {
  const epochMs = parseTime(time);
  if (epochMs === undefined) return undefined;
  return PLAIN_UTC.test(time) ? time : formatTime(epochMs);
}
