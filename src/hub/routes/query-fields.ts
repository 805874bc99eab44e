import { type Decode, type Fields, fieldsOf, refused } from '../config/setting-decoders.ts';
import type { RouteParameter } from '../http/route.ts';

/** Decodes the parameters of a query, each by its own decoder. Refuses unknown and repeated ones. */
export function queryFields<S extends Readonly<Record<string, Decode<unknown>>>>(
  shape: S,
  query: URLSearchParams,
): Fields<S> {
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    if (given.has(name)) throw refused(name.slice(0, 100), value, 'Give it once.');
    given.set(name, value);
  }
  return fieldsOf(shape, Object.fromEntries(given), '');
}

/** Decimal digits only: `1e3`, `+5` and `0x10` are refused. */
export function wholeNumberText(least: number, most: number): Decode<number> {
  return (value, at) => {
    const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw refused(at, value, `Give a whole number from ${least} to ${most}.`);
  };
}

export const anyText: Decode<string> = (value, at) => {
  if (typeof value === 'string') return value;
  throw refused(at, value, 'Give a text.');
};

/** Describes `limit` with its maximum and its default. */
export function limitParameter(
  most: number,
  usual: number,
  description = 'Maximum number of results.',
): RouteParameter {
  return {
    name: 'limit',
    in: 'query',
    description,
    schema: { type: 'integer', minimum: 1, maximum: most, default: usual },
  };
}
