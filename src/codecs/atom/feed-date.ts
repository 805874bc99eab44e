/**
 * Dates as feeds write them: RFC 822 in all variants, W3C date-times, and the output of common date functions.
 *
 *     Sat, 07 Sep 2002 00:00:01 GMT    7 Sep 02 0:00 EST    Sep 7, 2002 10:00 PM    Sat Sep  7 00:00:01 2002
 *     2002-09-07T00:00:01+0200         2002-09-07 00:00     2002-09                 20020907T000001Z
 */

import { parseTime } from '../primitives/time.ts';

const MAX_LENGTH = 100;
const ISO =
  /^(\d{4})(?:[-/]?(\d{1,2})(?:[-/]?(\d{1,2})(?:[T\s]+(\d{1,2}):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?\s*([A-Z]{1,5}|(?:GMT|UTC)?[+-][\d:]{1,6})?)?)?)?$/i;
const CLOCK = /\b(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,]\d+)?)?(?:\s*([ap])\.?m\b\.?)?/i;
const DAY_MONTH = /\b(\d{1,2})(?:st|nd|rd|th)?[\s.-]+([a-z]{3,9})\b\.?/i;
const MONTH_DAY = /\b([a-z]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?\b/i;
const OFFSET = /([+-])(\d{1,2})(?::?(\d\d))?\s*$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** In hours. RFC 822 defines the first eight; the others occur in practice. Unknown zones count as UTC (RFC 2822). */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['EST', -5],
  ['EDT', -4],
  ['CST', -6],
  ['CDT', -5],
  ['MST', -7],
  ['MDT', -6],
  ['PST', -8],
  ['PDT', -7],
  ['AKST', -9],
  ['AKDT', -8],
  ['HST', -10],
  ['WEST', 1],
  ['BST', 1],
  ['CET', 1],
  ['MEZ', 1],
  ['CEST', 2],
  ['MESZ', 2],
  ['EET', 2],
  ['EEST', 3],
  ['MSK', 3],
  ['SGT', 8],
  ['HKT', 8],
  ['JST', 9],
  ['KST', 9],
  ['AEST', 10],
  ['AEDT', 11],
  ['NZST', 12],
  ['NZDT', 13],
]);
/** Some generators write a zero date (0001-01-01, 0000-00-00) for a missing date. */
const FIRST_YEAR = 1900;

/** Milliseconds since 1970, or undefined if the text is not a date. A time without a zone counts as UTC. */
export function readFeedDate(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const plain = text
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[,\s]+/g, (gap) => (gap === ',' ? ', ' : ' '))
    .trim();
  return readIso(plain) ?? readWords(plain.replaceAll(',', ' '));
}

function readIso(text: string): number | undefined {
  const match = ISO.exec(text.replace(/, (?=\d+\D*$)/, ','));
  if (match === null) return undefined;
  const [, year = '', month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = '0', zone = ''] =
    match;
  return timeOf({ year, month, day, hour, minute, second, fraction, zone });
}

function readWords(text: string): number | undefined {
  const clock = CLOCK.exec(text);
  const before = clock === null ? text : text.slice(0, clock.index);
  const behind = clock === null ? '' : text.slice(clock.index + clock[0].length).trim();
  const date = readDay(before);
  if (date === undefined) return undefined;
  // Some print the year after the time: `Sat Sep 7 00:00:01 GMT 2002`.
  const late = date.year === undefined ? /(?:^|\s)(\d{4})\b/.exec(behind) : null;
  const year = date.year ?? late?.[1];
  if (year === undefined) return undefined;
  const [, hour = '0', minute = '0', second = '0', half = ''] = clock ?? [];
  const zone = late === null ? behind : behind.replace(late[0], '').trim();
  return timeOf({ ...date, year, hour: hourOf(hour, half), minute, second, fraction: '0', zone });
}

interface Day {
  readonly year?: string;
  readonly month: string;
  readonly day: string;
}

function readDay(text: string): Day | undefined {
  const dayFirst = DAY_MONTH.exec(text);
  const match = dayFirst ?? MONTH_DAY.exec(text.replace(/^\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?\s/i, ''));
  if (match === null) return undefined;
  const [day = '', name = ''] = dayFirst === null ? [match[2], match[1]] : [match[1], match[2]];
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  if (month === 0) return undefined;
  const rest = match.input.slice(match.index + match[0].length);
  const year = /^[\s.-]*(\d{4}|\d\d)\b/.exec(rest)?.[1];
  return { day, month: String(month), ...(year !== undefined && { year: fullYear(year) }) };
}

/** RFC 2822, 4.3. */
function fullYear(year: string): string {
  if (year.length > 2) return year;
  return `${Number(year) < 50 ? '20' : '19'}${year}`;
}

function hourOf(hour: string, half: string): string {
  if (half === '') return hour;
  return String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0));
}

type Fields = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone', string>>;

const DAY_MS = 86_400_000;

function timeOf({ year, month, day, hour, minute, second, fraction, zone }: Fields): number | undefined {
  if (Number(year) < FIRST_YEAR) return undefined;
  const isMidnight = hour === '24' && Number(minute) === 0 && Number(second) === 0;
  const [mm = '', dd = '', hh = '', mi = '', ss = ''] = [month, day, isMidnight ? '0' : hour, minute, second].map(
    (part) => part.padStart(2, '0'),
  );
  const local = parseTime(`${year}-${mm}-${dd}T${hh}:${mi}:${ss === '60' ? '59' : ss}.${fraction}Z`);
  if (local === undefined) return undefined;
  return local + (isMidnight ? DAY_MS : 0) + (ss === '60' ? 1000 : 0) - offsetMs(zone);
}

function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(zone) ?? [];
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return (ZONES.get(zone.split(' ')[0]?.toUpperCase() ?? '') ?? 0) * 3_600_000;
}
