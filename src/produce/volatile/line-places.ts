import type { PageLine } from './page-lines.ts';

/**
 * The places of lines on their page, by headings and lines counted from its beginning and from its end: the same on all pages into which a template
 * puts something.
 */
export function linePlaces(lines: readonly PageLine[], places: readonly number[]): readonly string[] {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = lines.slice(0, first);
  const after = lines.slice(last + 1);
  return [
    `${headingsIn(before)}+${before.length - before.findLastIndex(isHeadingLine)}`,
    `${headingsIn(after)}-${after.some(isHeadingLine) ? after.findIndex(isHeadingLine) : after.length}`,
  ];
}

function headingsIn(lines: readonly PageLine[]): number {
  return lines.filter(isHeadingLine).length;
}

function isHeadingLine({ part }: PageLine): boolean {
  return part === 'heading';
}
