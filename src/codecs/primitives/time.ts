/**
 * RFC 3339 date-times: `2025-08-21T12:34:56Z`, `2025-08-21T14:34:56.250+02:00`.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 */

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const MIN_MS = -62_167_219_200_000; // 0000-01-01T00:00:00Z
const MAX_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

/**
 * Milliseconds since 1970, or undefined if the text is not an RFC 3339 date-time.
 *
 * Digits below the millisecond are cut off. A leap second counts as the second after it.
 */
export function parseTime(text: string): number | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const [, , , , , , , fraction = '', sign = '+', offsetHour = '0', offsetMinute = '0'] = match;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have rolls over into the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;

  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const minuteOfDay = hour * 60 + minute - offset;
  if (second === 60 && (minuteOfDay + DAY_MINUTES) % DAY_MINUTES !== DAY_MINUTES - 1) return undefined;

  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const time = date.getTime() + minuteOfDay * MINUTE_MS + second * 1000 + milliseconds;
  return time >= MIN_MS && time <= MAX_MS ? time : undefined;
}

/** `YYYY-MM-DDTHH:MM:SSZ`, with `.fff` only when there are milliseconds. */
export function formatTime(epochMs: number): string {
  if (!(epochMs >= MIN_MS && epochMs <= MAX_MS)) throw new Error(`RFC 3339 cannot write the time ${epochMs}.`);
  return new Date(Math.floor(epochMs)).toISOString().replace('.000Z', 'Z');
}
