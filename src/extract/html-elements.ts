/**
 * What the tree builder must know about HTML elements: which end tags are optional, and how far a misplaced one reaches.
 *
 * Spec: https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const union = (...sets: ReadonlySet<string>[]): ReadonlySet<string> => new Set(sets.flatMap((set) => [...set]));

const VOID = names(
  'area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr',
);

/** Elements whose content is never shown as text of the page. */
export const UNSEEN = names(
  'script style template svg iframe object embed noscript noembed noframes canvas audio video applet map datalist',
);

/** Those that show something else instead. They are in the tree without their content, except for its sources. */
export const MEDIA = names('iframe object embed audio video');

/** Elements that may be in a head. Any other one begins the body. */
export const HEAD_ONLY = union(UNSEEN, names('head html title meta link base basefont bgsound'));

const FORMATTING = names(
  'a abbr acronym b bdi bdo big cite code em font i kbd label mark nobr q s samp small span strike strong sub sup tt u var',
);

const CELLS = names('td th caption');
export const TABLE_PARTS = union(CELLS, names('table thead tbody tfoot tr'));
const HEADINGS = names('h1 h2 h3 h4 h5 h6');
const P = names('p');

const P_CLOSERS = union(
  HEADINGS,
  P,
  names(
    'address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form header hgroup hr li main menu nav ol pre search section summary table ul',
  ),
);

export const BLOCKS = union(P_CLOSERS, TABLE_PARTS, names('body html button select'));

const without = (set: ReadonlySet<string>, ...dropped: string[]): ReadonlySet<string> =>
  new Set([...set].filter((name) => !dropped.includes(name)));

interface ImpliedEnd {
  /** The open elements that this start tag ends, … */
  readonly closes: ReadonlySet<string>;
  /** … unless one of these is in between. */
  readonly within: ReadonlySet<string>;
}

const pEnd: ImpliedEnd = { closes: P, within: without(BLOCKS, 'p') };
const headingEnd: ImpliedEnd = { closes: union(P, HEADINGS), within: without(BLOCKS, 'p', ...HEADINGS) };
const cellEnd: ImpliedEnd = { closes: CELLS, within: names('table tr') };
const groupEnd: ImpliedEnd = { closes: names('thead tbody tfoot caption'), within: names('table') };
const itemEnd: ImpliedEnd = { closes: names('li'), within: without(BLOCKS, 'li', 'p', 'div', 'address') };
const termEnd: ImpliedEnd = { closes: names('dd dt'), within: without(BLOCKS, 'dd', 'dt', 'p', 'div', 'address') };

/** Start tags that end an open element whose end tag is missing. */
export const CLOSED_BY: ReadonlyMap<string, ImpliedEnd> = new Map<string, ImpliedEnd>([
  ...[...P_CLOSERS].map((name): [string, ImpliedEnd] => [name, pEnd]),
  ...[...HEADINGS].map((name): [string, ImpliedEnd] => [name, headingEnd]),
  ['li', itemEnd],
  ['dd', termEnd],
  ['dt', termEnd],
  ['tr', { closes: names('tr caption'), within: names('table') }],
  ['td', cellEnd],
  ['th', cellEnd],
  ['thead', groupEnd],
  ['tbody', groupEnd],
  ['tfoot', groupEnd],
  ['a', { closes: names('a'), within: BLOCKS }],
  ['option', { closes: names('option'), within: names('select') }],
  ['optgroup', { closes: names('option optgroup'), within: names('select') }],
]);

const OUTSIDE_CELL = union(CELLS, names('table button'));
const OUTSIDE_LIST = union(OUTSIDE_CELL, names('ul ol menu'));
const OUTSIDE_TABLE = names('table');
const NOTHING: ReadonlySet<string> = new Set();

/** The elements that an end tag does not cross. */
export function scopeOfEndTag(name: string): ReadonlySet<string> {
  if (FORMATTING.has(name)) return BLOCKS;
  if (name === 'table' || name === 'button') return NOTHING;
  if (name === 'li') return OUTSIDE_LIST;
  return TABLE_PARTS.has(name) ? OUTSIDE_TABLE : OUTSIDE_CELL;
}

export function isVoid(name: string): boolean {
  return VOID.has(name);
}
