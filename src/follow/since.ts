import { parseTime } from '../codecs/primitives/time.ts';
import type { Since } from '../dialects/reader.ts';
import { followRefusedError } from '../errors/refusals.ts';

/** An RFC 3339 time, or a date for its midnight in UTC, or else an id. */
export function parseSince(text: string | undefined): Since {
  if (text === undefined) return {};
  if (text.trim() === '') throw followRefusedError('There is nothing to begin at: --since is empty.');
  const timeMs = parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
  if (timeMs === undefined && /^\d{4}-\d\d-\d\d$/.test(text)) {
    throw followRefusedError(`There is no ${text} in the calendar. --since takes a date, an RFC 3339 time or an id.`);
  }
  return timeMs === undefined ? { id: text } : { timeMs };
}
