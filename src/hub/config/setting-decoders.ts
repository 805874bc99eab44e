import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { nearestWord } from './nearest-word.ts';

/** Decodes a setting, or throws a {@link SettingRefusedError} that names it by `at`: `tidings.config.json: sources[1].url`. */
export type Decode<T> = (value: unknown, at: string) => T;

type Shape = Readonly<Record<string, Decode<unknown>>>;

/** What the keys of a shape decode to; missing keys stay missing. */
export type Fields<S extends Shape> = { readonly [Key in keyof S]?: ReturnType<S[Key]> };

const SHOWN = 100;

/** Decodes the keys of an object, each by its own decoder, in the order of the shape. Unknown keys are refused. */
export function fieldsOf<S extends Shape>(shape: S, value: unknown, at: string): Fields<S> {
  const object = objectOf(value, at);
  const known = Object.keys(shape);
  for (const key of Object.keys(object)) if (!known.includes(key)) throw unknownKey(key, at, known);
  const decoded: Record<string, unknown> = {};
  for (const [key, decode] of Object.entries(shape)) {
    if (Object.hasOwn(object, key)) decoded[key] = decode(object[key], placeOf(at, key));
  }
  return decoded as Fields<S>;
}

export function objectOf(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refused(at, value, 'It must be a JSON object.');
}

export function text(maxLength: number): Decode<string> {
  return (value, at) => {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !value.includes('\0')) {
      return value;
    }
    throw refused(at, value, `Give a text of 1 to ${maxLength} characters.`);
  };
}

export function wholeNumberIn(least: number, most: number, hint = ''): Decode<number> {
  return (value, at) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw refused(at, value, `Give a whole number from ${least} to ${most}${hint}.`);
  };
}

export const flag: Decode<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw refused(at, value, 'Give true or false.');
};

export function oneOf<const Word extends string>(words: readonly Word[]): Decode<Word> {
  return (value, at) => {
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const near = typeof value === 'string' ? didYouMean(value, words) : '';
    throw refused(at, value, `${near}Give one of ${words.join(', ')}.`);
  };
}

/** Duplicates are refused as typing errors. */
export function listOf<T>(decode: Decode<T>, { least = 0, most }: { least?: number; most: number }): Decode<T[]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      throw refused(at, value, `Give a list of ${least} to ${most}.`);
    }
    const items = value.map((item, index) => decode(item, `${at}[${index}]`));
    const seen = new Set<T>();
    for (const [index, item] of items.entries()) {
      if (seen.has(item)) throw refused(`${at}[${index}]`, value[index], 'It is in the list already.');
      seen.add(item);
    }
    return items;
  };
}

/** The position of a key: `tidings.config.json: port`, `sources[1].url`. */
export function placeOf(at: string, key: string): string {
  return at === '' || at.endsWith(' ') ? at + key : `${at}.${key}`;
}

/** `at` and the value as written, shortened if it is long. */
export function refused(at: string, value: unknown, remedy: string): SettingRefusedError {
  const seen = jsonOf(value);
  const shown = seen.length > SHOWN ? `${seen.slice(0, SHOWN)}…` : seen;
  return new SettingRefusedError(at.trim().replace(/:$/, ''), shown, remedy);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '(missing)';
  } catch {
    // Circular, or too deep for the stack.
    return '(nested without end)';
  }
}

function unknownKey(key: string, at: string, known: readonly string[]): SettingRefusedError {
  const remedy = `${didYouMean(key, known)}Known are ${known.join(', ')}.`;
  return new SettingRefusedError(placeOf(at, key.slice(0, SHOWN)), '(an unknown key)', remedy);
}

function didYouMean(word: string, words: readonly string[]): string {
  const near = nearestWord(word, words);
  return near === undefined ? '' : `Did you mean ${near}? `;
}
