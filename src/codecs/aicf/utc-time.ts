import { formatTime, parseTime } from '../primitives/time.ts';

const PLAIN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?Z$/;

/** The events of one publish share their time, and a feed is read and written by the thousand. */
let latest: { readonly time: string; readonly utc: string | undefined } = { time: '', utc: undefined };

/** A time that is in UTC already stays as it is written; others are converted (T-AICF-12). Undefined when it is none. */
export function utcTime(time: string): string | undefined {
  if (latest.time !== time) latest = { time, utc: convert(time) };
  return latest.utc;
}

function convert(time: string): string | undefined {
  const epochMs = parseTime(time);
  if (epochMs === undefined) return undefined;
  return PLAIN_UTC.test(time) ? time : formatTime(epochMs);
}
