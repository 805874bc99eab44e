import { parseTime } from '../../../codecs/primitives/time.ts';
import { SurfaceRefusedError } from '../../../errors/surface-error.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/;

/** Checks a name or label that readers will compare: a string that is not empty. */
export function checkText(subject: string, value: unknown): string {
  if (value === undefined || value === null || value === '')
    throw new SurfaceRefusedError(subject, 'It must be given.');
  if (typeof value !== 'string') throw new SurfaceRefusedError(subject, `It must be a string, not a ${typeof value}.`);
  if (value.trim() !== value || CONTROL.test(value)) {
    throw new SurfaceRefusedError(subject, 'It has white space around it, or control characters in it.');
  }
  return value;
}

/** Returns the time exactly as it was written. */
export function checkTime(subject: string, value: unknown): string {
  const text = checkText(subject, value);
  if (parseTime(text) === undefined) {
    throw new SurfaceRefusedError(
      subject,
      `"${text}" is no RFC 3339 time. Give date, time and offset, such as 2027-01-01T00:00:00Z.`,
    );
  }
  return text;
}
