import { formatTime } from '../../../codecs/primitives/time.ts';
import { ENTRY } from '../../../codecs/resourcesync/issue.ts';
import { parseTimeSpan, type TimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import { correction, type ListContext, shown, type Tell, withAttribute } from './list-context.ts';
import { ADVICE } from './list-ledger.ts';
import type { RawElement, RawText } from './raw-document.ts';

/** The forms of https://www.w3.org/TR/NOTE-datetime: a time of day needs a zone. */
const W3C = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
const FULL_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Allows for clocks that differ. */
const TOLERANCE_MS = 10 * 60_000;

/** The time in an attribute, if it has one. `clause` is reported for a value that is not a time. */
export function checkWrittenTime(
  element: RawElement,
  { name, clause }: { readonly name: string; readonly clause: string },
  tell: Tell,
  context: ListContext,
): TimeSpan | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  const correct = (right: string) => withAttribute(element, name, right);
  return judge({ line: element.line, name, value, seen: `${name}="${shown(value)}"`, correct }, clause, tell, context);
}

/** Checks the time in a `lastmod`. */
export function checkLastmod(element: RawText, tell: Tell, context: ListContext): TimeSpan | undefined {
  const { line, text } = element;
  const correct = (right: string) => `<lastmod>${right}</lastmod>`;
  const seen = `<lastmod>${shown(text)}</lastmod>`;
  return judge({ line, name: 'lastmod', value: text, seen, correct }, ENTRY, tell, context);
}

interface WrittenTime {
  readonly line: number;
  readonly name: string;
  readonly value: string;
  readonly seen: string;
  readonly correct: (right: string) => string | undefined;
}

function judge(time: WrittenTime, clause: string, tell: Tell, { nowMs }: ListContext): TimeSpan | undefined {
  const { line, name, value, seen, correct } = time;
  const span = parseTimeSpan(value);
  if (span === undefined) {
    const example = correct('2022-11-06T10:00:00Z');
    const remedy = `Give a date and time that exist, in UTC${example === undefined ? '' : `, like ${example}`}`;
    tell(line, { clause, sort: `no time ${name}`, seen: `${seen} is no date.`, remedy });
    return undefined;
  }
  const right = correction(correct(formatTime(span.startMs)), `Write ${formatTime(span.startMs)}`);
  if (!W3C.test(value)) {
    const seenForm = `${seen} is not of the form that sitemaps have for dates (2022-11-06T10:00:00Z).`;
    tell(line, { clause: ENTRY, level: 'SHOULD', sort: `form ${name}`, seen: seenForm, remedy: right });
  } else if (/[+-]\d\d:\d\d$/.test(value)) {
    const why = `${seen} has an offset, which some clients read with the wrong sign.`;
    tell(line, { clause: ADVICE, sort: `offset ${name}`, seen: why, remedy: right });
  } else if (!FULL_UTC.test(value)) {
    const why = `${seen} is not exact: it counts as all of that time, and the schema of ResourceSync wants date and time.`;
    tell(line, { clause: ADVICE, sort: `inexact ${name}`, seen: why, remedy: right });
  }
  if (span.startMs > nowMs + TOLERANCE_MS) {
    const remedy = `Give the time when it happened; it is ${formatTime(Math.floor(nowMs / 1000) * 1000)} now.`;
    tell(line, { clause: ENTRY, level: 'SHOULD', sort: `future ${name}`, seen: `${seen} is in the future.`, remedy });
  }
  return span;
}
