import { parseTime } from '../codecs/primitives/time.ts';
import type { Since } from '../dialects/reader.ts';
import { followRefusedError } from '../errors/refusals.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

/** An RFC 3339 time, a date (midnight UTC), a duration before `nowMs` (`30m`, `12h`, `7d`, `2w`), or otherwise an id. */
export function parseSince(text: string | undefined, nowMs: number): Since {
  if (text === undefined) return {};
  if (text.trim() === '') throw followRefusedError('There is nothing to begin at: --since is empty.');
  const timeMs = durationBefore(text, nowMs) ?? parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
  if (timeMs === undefined && /^\d{4}-\d\d-\d\d$/.test(text)) {
    throw followRefusedError(`There is no ${text} in the calendar. --since takes a date, an RFC 3339 time or an id.`);
  }
  return timeMs === undefined ? { id: text } : { timeMs };
}

/** Nothing is older than 1970. */
function durationBefore(text: string, nowMs: number): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,9})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  return unitMs === undefined ? undefined : Math.max(0, nowMs - Number(count) * unitMs);
}
