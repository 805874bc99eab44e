import { formatTime, parseTime } from '../primitives/time.ts';

const PLAIN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d+)?Z$/;

/** A cache: the events of one publish share their time, and a feed has thousands of events. */
let latest: { readonly time: string; readonly utc: string | undefined } = { time: '', utc: undefined };

/** Converts a time to UTC; a time already in UTC stays as written (T-AICF-12). Undefined if the text is not a time. */
export function utcTime(time: string): string | undefined {
  if (latest.time !== time) latest = { time, utc: convert(time) };
  return latest.utc;
}

function convert(time: string): string | undefined {
  const epochMs = parseTime(time);
  if (epochMs === undefined) return undefined;
  return PLAIN_UTC.test(time) ? time : formatTime(epochMs);
}
