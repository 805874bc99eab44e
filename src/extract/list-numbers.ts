import { attribute, type HtmlElement } from './html-tree.ts';

/** How the items of a list are numbered, if not with digits. */
export type ListNumbers = 'a' | 'A' | 'i' | 'I';

const STYLES: ReadonlyMap<string, ListNumbers> = new Map([
  ['lower-alpha', 'a'],
  ['lower-latin', 'a'],
  ['upper-alpha', 'A'],
  ['upper-latin', 'A'],
  ['lower-roman', 'i'],
  ['upper-roman', 'I'],
]);
/** Docutils writes it in a class. */
const NAMED = /(?:^|\s)(lower|upper)(alpha|roman)(?:\s|$)/;

/** Used for Markdown only, never for comparison. */
export function listNumbersOf(list: HtmlElement): ListNumbers | undefined {
  if (list.attributes.size === 0) return undefined;
  const type = attribute(list, 'type')?.trim();
  if (type === 'a' || type === 'A' || type === 'i' || type === 'I') return type;
  const style = /list-style(?:-type)?\s*:\s*([a-z]+-[a-z]+)/i.exec(attribute(list, 'style') ?? '')?.[1];
  const named = NAMED.exec(attribute(list, 'class') ?? '');
  return STYLES.get(style?.toLowerCase() ?? (named === null ? '' : `${named[1]}-${named[2]}`));
}

/** Larger numbers are written with digits, as in browsers. */
const MAX_ROMAN = 3999;

export function writtenNumber(numbers: ListNumbers, number: number): string {
  if (number < 1) return String(number);
  const written = numbers === 'a' || numbers === 'A' ? letters(number) : roman(number);
  return numbers === 'A' || numbers === 'I' ? written.toUpperCase() : written;
}

function letters(number: number): string {
  let written = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    written = String.fromCharCode(97 + ((rest - 1) % 26)) + written;
  return written;
}

const ROMAN = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

function roman(number: number): string {
  if (number > MAX_ROMAN) return String(number);
  let rest = number;
  let written = '';
  for (const [value, sign] of ROMAN) {
    for (; rest >= value; rest -= value) written += sign;
  }
  return written;
}
