import { weightOf } from './accept-encoding.ts';

/**
 * Of the available media types, the one that a client prefers (RFC 9110 §12.5.1).
 *
 * Between two of the same weight, the one that the client names more exactly wins, then the earlier one. A client that accepts none of them, or sends no
 * header, gets the first.
 *
 * @example
 * preferredMedia('text/markdown, text/html;q=0.5', ['application/json', 'text/markdown']); // 'text/markdown'
 */
export function preferredMedia<Type extends string>(
  header: string | undefined,
  types: readonly [Type, ...Type[]],
): Type {
  const [first] = types;
  if (header === undefined) return first;
  const ranges = header.toLowerCase().split(',').flatMap(rangeOf);
  let best = { type: first, weight: 0, precision: 0 };
  for (const type of types) {
    const { weight, precision } = matchOf(type, ranges);
    const isBetter = weight > best.weight || (weight === best.weight && precision > best.precision);
    if (weight > 0 && isBetter) best = { type, weight, precision };
  }
  return best.type;
}

interface MediaRange {
  readonly name: string;
  readonly weight: number;
}

/** None for a malformed item, which is ignored. Parameters of a type are ignored. */
function rangeOf(item: string): MediaRange[] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
  const weight = weightOf(parameters.filter((parameter) => /^q\s*=/.test(parameter)));
  return weight === undefined || name === '' ? [] : [{ name, weight }];
}

/** The most exact range that names a type decides about it, even if it refuses it. */
function matchOf(type: string, ranges: readonly MediaRange[]): { readonly weight: number; readonly precision: number } {
  const names = ['*/*', `${type.slice(0, type.indexOf('/'))}/*`, type];
  for (let precision = names.length - 1; precision >= 0; precision -= 1) {
    const range = ranges.find(({ name }) => name === names[precision]);
    if (range !== undefined) return { weight: range.weight, precision };
  }
  return { weight: 0, precision: 0 };
}
